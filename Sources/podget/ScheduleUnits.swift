/// What makes the system run `podget sync --scheduled` by itself: two systemd units, or a line for cron.
struct ScheduleUnits {
    /// The words of the command, the program's path first.
    let command: [String]
    let times: ScheduleTimes

    static let serviceName = "podget-sync.service"
    static let timerName = "podget-sync.timer"

    var service: String {
        """
        # Written by 'podget schedule install'.
        [Unit]
        Description=Refresh podcasts and download new episodes
        Documentation=man:podget(1)

        [Service]
        Type=oneshot
        ExecStart=\(command.map(systemdWord).joined(separator: " "))
        # 3: some feeds or downloads failed, and the rest went through.
        SuccessExitStatus=3 130
        Nice=10

        """
    }

    var timer: String {
        """
        # Written by 'podget schedule install'.
        [Unit]
        Description=Refresh podcasts \(times.words)
        Documentation=man:podget(1)

        [Timer]
        \(times.timerLines.joined(separator: "\n"))
        # Not every machine at once.
        RandomizedDelaySec=60

        [Install]
        WantedBy=timers.target

        """
    }

    /// The lines for `crontab -e`; nil where cron cannot keep these times.
    var crontabLines: [String]? {
        // In a crontab a percent sign ends the command, quoted or not.
        let words = command.map { shellWord($0).replacing("%", with: "\\%") }
        return times.crontabTimes?.map { "\($0) \(words.joined(separator: " ")) --quiet" }
    }
}

/// A word as `ExecStart=` reads it (systemd.service(5), "Command lines").
private func systemdWord(_ word: String) -> String {
    let escaped = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("%", with: "%%").replacing("$", with: "$$")
    return isPlain(word) ? escaped : "\"\(escaped)\""
}

/// A word as the shell reads it.
func shellWord(_ word: String) -> String {
    isPlain(word) ? word : "'" + word.replacing("'", with: "'\\''") + "'"
}

private func isPlain(_ word: String) -> Bool {
    !word.isEmpty
        && word.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"):
                true
            default: false
            }
        }
}
