/// What plays files.
public enum PlayerProgram: Equatable, Sendable {
    /// mpv, spoken to while it plays; the words are the program and options of the user, in which `{file}` stands for
    /// what it is to play.
    case mpv([String])

    /// Another program, of which only the end is known; `{file}` stands for what it is to play, `{start}` for where it is
    /// to begin, in seconds.
    case other([String])

    /// What the desktop opens such files with.
    case desktop

    /// Chooses by the setting `player`, else by what there is.
    public init(setting: [String]?, isInstalled: (String) -> Bool) {
        if let words = setting, let program = words.first {
            let name = program.split(separator: "/").last ?? ""
            self = name == "mpv" ? .mpv(words.filter { $0 != Self.placeholder }) : .other(words)
        } else {
            self = isInstalled("mpv") ? .mpv(["mpv"]) : .desktop
        }
    }

    /// Whether the user's own options may end a file before its end.
    var mayStopEarly: Bool {
        guard case .mpv(let words) = self else { return false }
        return words.contains { word in
            ["--length", "--end"].contains { word == $0 || word.hasPrefix($0 + "=") }
        }
    }

    static let placeholder = "{file}"
    static let startPlaceholder = "{start}"

    /// Whether the player can be told where to begin.
    public var takesStart: Bool {
        switch self {
        case .mpv: true
        case .other(let words): words.contains { $0.contains(Self.startPlaceholder) }
        case .desktop: false
        }
    }
}

/// What is to be played, and where it begins.
public struct PlayRequest: Equatable, Sendable {
    /// An absolute path, or the address of a stream.
    public let source: String
    public let isLocal: Bool
    public let title: String
    public let start: Duration

    public init(source: String, isLocal: Bool, title: String, start: Duration = .zero) {
        self.source = source
        self.isLocal = isLocal
        self.title = title
        self.start = start
    }
}

/// The words that run a player for a request.
///
/// The source is an absolute path or a checked address, so that it never begins with a dash.
func playerWords(_ player: PlayerProgram, _ request: PlayRequest, usesTerminal: Bool) -> [String] {
    switch player {
    case .mpv(let words):
        var options = [
            "--input-ipc-client=fd://3", "--idle=no", "--keep-open=no", "--loop-file=no",
            // podget remembers the position itself.
            "--resume-playback=no", "--save-position-on-quit=no",
            "--ytdl=no", "--load-unsafe-playlists=no", "--force-media-title=\(request.title)",
        ]
        if request.isLocal {
            // A file may name others, on a server or here: they stay unread.
            options += ["--access-references=no", "--autoload-files=no", "--demuxer=lavf"]
            options += [
                "--demuxer-lavf-o-append=protocol_whitelist=file",
                "--demuxer-lavf-o-append=format_whitelist=\(MediaTagReader.formats)",
            ]
        }
        if request.start > .zero { options.append("--start=\(secondsText(request.start))") }
        if !usesTerminal { options.append("--terminal=no") }
        // Only what tells why nothing is to be heard; the user's own options, which follow, may ask for more.
        let quiet = ["--msg-level=all=fatal,cplayer=error,ao=error"]
        let named = filled(words.dropFirst(), request)
        // After the user's own `--` mpv takes every word for a file.
        let own = Array(named.prefix { $0 != "--" })
        let files = Array(named.dropFirst(own.count + 1))
        return [words[0]] + quiet + own + options + ["--"] + (files + [request.source])
    case .other(let words):
        let named = filled(words.dropFirst(), request)
        let names = words.dropFirst().contains { $0.contains(PlayerProgram.placeholder) }
        return [words[0]] + named + (names ? [] : [request.source])
    case .desktop:
        return ["xdg-open", request.source]
    }
}

/// The words of a user with the placeholders filled in; the path last, for it may hold what looks like one.
private func filled(_ words: ArraySlice<String>, _ request: PlayRequest) -> [String] {
    words.map {
        $0.replacing(PlayerProgram.startPlaceholder, with: secondsText(request.start))
            .replacing(PlayerProgram.placeholder, with: request.source)
    }
}

/// A placeholder in the user's words that stands for nothing, such as `{position}`; nil where there is none.
///
/// `${name}` is the shell's, or mpv's.
func unknownPlaceholder(in words: [String]) -> String? {
    for word in words {
        for match in word.matches(of: #/(\$?)(\{[A-Za-z]+\})/#) where match.1.isEmpty {
            let name = String(match.2)
            if name != PlayerProgram.placeholder, name != PlayerProgram.startPlaceholder { return name }
        }
    }
    return nil
}

/// A length in seconds with milliseconds, such as `754.250`.
private func secondsText(_ time: Duration) -> String {
    let thousandths = String(time.components.attoseconds / 1_000_000_000_000_000)
    return "\(time.components.seconds)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
}

/// Whether a program stands in one of the folders of `PATH`.
public func isOnPath(_ name: String, variables: [String: String], isExecutable: (String) -> Bool) -> Bool {
    (variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":").contains { isExecutable("\($0)/\(name)") }
}
