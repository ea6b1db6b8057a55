import EpisodeStore
public import FoundationEssentials

/// Writes the broadcasts that have a time as a calendar (RFC 5545).
public func calendarText(_ shows: [LiveShow], now: Date) -> String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//podget//live//EN"]
    for show in shows {
        for broadcast in show.on + show.next {
            let item = broadcast.item
            guard let start = item.start else { continue }
            lines += ["BEGIN:VEVENT", "UID:\(identifier(show, broadcast))", "DTSTAMP:\(calendarStamp(now))"]
            lines.append("DTSTART:\(calendarStamp(start))")
            if let end = item.end, end > start { lines.append("DTEND:\(calendarStamp(end))") }
            let title = item.title.map { "\(show.feed.title): \($0)" } ?? show.feed.title
            lines.append("SUMMARY:\(escaped(title))")
            let addresses = ([broadcast.stream, broadcast.page].compactMap { $0 }).map(shownAddress)
            if let first = addresses.first { lines.append("URL:\(first)") }
            if !addresses.isEmpty {
                lines.append("DESCRIPTION:\(escaped(addresses.joined(separator: "\n")))")
            }
            lines.append("END:VEVENT")
        }
    }
    lines.append("END:VCALENDAR")
    return lines.map { folded($0) + "\r\n" }.joined()
}

/// The same for the same broadcast whenever it is written, also where its title or time changes if it has a GUID.
private func identifier(_ show: LiveShow, _ broadcast: LiveBroadcast) -> String {
    var hash = BodyHash()
    Array("\(show.feed.slug)\n\(broadcast.identity)".utf8).withUnsafeBytes { hash.add($0) }
    return "\(hash.text)@podget"
}

/// A moment in UTC, such as `20261202T160000Z`.
func calendarStamp(_ date: Date) -> String {
    date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
}

/// Escapes a text (RFC 5545, 3.3.11); control characters other than line breaks are left out.
private func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
        switch scalar {
        case "\\", ";", ",": escaped += "\\\(scalar)"
        case "\n", "\r": escaped += "\\n"
        case "\t": escaped += " "
        default:
            // Marks that turn the direction of a line turn that of the program's own as well.
            let turns = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            if scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value), !turns {
                escaped.unicodeScalars.append(scalar)
            }
        }
    }
    return escaped
}

/// Folds a line into pieces of at most 75 bytes, between characters (RFC 5545, 3.1).
private func folded(_ line: String) -> String {
    var folded = ""
    var count = 0
    for scalar in line.unicodeScalars {
        let size = UTF8.width(scalar)
        if count + size > 75 {
            folded += "\r\n "
            count = 1
        }
        folded.unicodeScalars.append(scalar)
        count += size
    }
    return folded
}
