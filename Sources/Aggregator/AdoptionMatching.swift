import EpisodeStore

/// How it was found out which episode a file is, the surest first.
public enum AdoptionReason: Int, CaseIterable, Sendable {
    /// The title in the file's tags is that of the episode.
    case tag

    /// The file's name is the last part of the episode's address.
    case url

    /// The file's name holds the title of the episode, with or without show and day.
    case name

    /// The file is exactly as long as the feed says.
    case size

    /// The user says so.
    case user
}

/// A media file that may be an episode.
struct FoundFile: Equatable, Sendable {
    let path: String
    let byteCount: Int64

    /// The names of the folders it lies in, from the adopted one on.
    var folders: [String] = []
    var tags = MediaTags()

    var name: String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[$0...].dropFirst()) } ?? path
    }
    var stem: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }
}

/// An episode that a file may be.
struct AdoptionCandidate: Equatable, Sendable {
    let id: EpisodeID
    let feedTitle: String
    let title: String
    let url: String?
    let byteCount: Int64?

    /// The day of publication in UTC, as `2026-11-24`.
    let day: String?
}

/// What the matching says of one file.
enum AdoptionMatch: Equatable, Sendable {
    case found(EpisodeID, AdoptionReason)

    /// Several episodes fit alike.
    case ambiguous([EpisodeID])

    /// Another file fits the same episode better.
    case secondBest(EpisodeID, of: String)
    case none
}

/// Finds the episode of each file; the matches stand in the order of the files.
///
/// Where the album tag, or a folder around the file, is the name of a show, only its episodes count. A rule that fits
/// several episodes asks size and day to tell them apart, and then leaves the file to the next rule. One file is one
/// episode, and one episode gets one file: that which fits it by the surest rule.
func matchFiles(_ files: [FoundFile], with candidates: [AdoptionCandidate]) -> [AdoptionMatch] {
    let index = AdoptionIndex(candidates)
    let matches = files.map { index.match($0) }
    var best: [EpisodeID: Int] = [:]
    for (position, match) in matches.enumerated() {
        guard case .found(let id, let reason) = match else { continue }
        if let rival = best[id], case .found(_, let rivalReason) = matches[rival] {
            // Of two that fit alike the longer one is taken: a cut copy is shorter.
            let isBetter =
                (reason.rawValue, -files[position].byteCount)
                < (rivalReason.rawValue, -files[rival].byteCount)
            guard isBetter else { continue }
        }
        best[id] = position
    }
    return matches.enumerated().map { position, match in
        guard case .found(let id, _) = match, let winner = best[id], winner != position else { return match }
        return .secondBest(id, of: files[winner].path)
    }
}

/// The candidates by what they can be found by.
private struct AdoptionIndex {
    private let candidates: [AdoptionCandidate]
    private var byTitle: [String: [Int]] = [:]
    private var byName: [String: [Int]] = [:]
    private var byFileName: [String: [Int]] = [:]
    private var bySize: [Int64: [Int]] = [:]
    private var shows: Set<String> = []

    /// Sizes below this are claimed by many feeds that know none.
    private static let leastByteCount = 10_000

    /// Names shorter than this say too little for themselves, such as `Pilot` or `audio`.
    private static let tellingLength = 8

    init(_ candidates: [AdoptionCandidate]) {
        self.candidates = candidates
        for (position, candidate) in candidates.enumerated() {
            let title = comparable(candidate.title)
            let show = comparable(candidate.feedTitle)
            shows.insert(show)
            if !title.isEmpty {
                byTitle[title, default: []].append(position)
                let day = candidate.day.map(comparable)
                let names =
                    [title, show + " " + title]
                    + (day.map { day in
                        [
                            day + " " + title, title + " " + day, "\(show) \(day) \(title)",
                            "\(day) \(show) \(title)",
                        ]
                    } ?? [])
                for name in Set(names) { byName[name, default: []].append(position) }
            }
            if let name = candidate.url.flatMap(fileName) { byFileName[name, default: []].append(position) }
            if let size = candidate.byteCount, size >= Self.leastByteCount {
                bySize[size, default: []].append(position)
            }
        }
    }

    func match(_ file: FoundFile) -> AdoptionMatch {
        let wantedShows = Set(([file.tags.show].compactMap { $0 } + file.folders).map(comparable))
            .intersection(shows)
        let fileTitle = file.tags.title.map(comparable) ?? ""
        let stem = comparable(file.stem)
        // As in '07 - The title'.
        let withoutNumber = String(stem.drop { $0.isNumber }.drop { $0 == " " })
        // Those that the surest rule leaves.
        var alike: [Int] = []
        for reason in AdoptionReason.allCases {
            var (found, key): ([Int], String) =
                switch reason {
                case .tag: (byTitle[fileTitle] ?? [], fileTitle)
                case .url: (byFileName[file.name.lowercased()] ?? [], stem)
                case .name: (byName[stem] ?? byName[withoutNumber] ?? [], stem)
                case .size: (bySize[file.byteCount] ?? [], "")
                // No fact of the file tells that.
                case .user: ([], "")
                }
            if !wantedShows.isEmpty {
                found = found.filter { wantedShows.contains(comparable(candidates[$0].feedTitle)) }
            }
            let bySize = found.filter { candidates[$0].byteCount == file.byteCount }
            let byDay = found.filter { candidates[$0].day.map { stem.contains(comparable($0)) } ?? false }
            let isTelling = reason == .size || !wantedShows.isEmpty || key.count >= Self.tellingLength
            // The first of these that leaves one; alone, a short name is not enough.
            let choices = [isTelling ? found : [], bySize, byDay]
            if let one = choices.first(where: { $0.count == 1 })?.first {
                return .found(candidates[one].id, reason)
            }
            if alike.count < 2 { alike = found }
        }
        return alike.count > 1 ? .ambiguous(alike.map { candidates[$0].id }) : .none
    }
}

/// Letters and digits in lower case, parted by single blanks: what two spellings of one title have in common.
func comparable(_ text: String) -> String {
    // Compatibility forms and signs differ between tags, file names and feeds.
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
}

/// The last part of an address's path in lower case, decoded; nil where it has none.
private func fileName(_ url: String) -> String? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let name = percentDecoded(path[path.index(after: slash)...]).lowercased()
    return name.isEmpty ? nil : name
}
