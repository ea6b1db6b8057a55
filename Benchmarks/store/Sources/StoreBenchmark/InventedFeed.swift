import EpisodeStore
import FoundationEssentials

/// Invents feeds: the same seed gives the same text on every machine.
///
/// Words follow Zipf's law, as in any language: the commonest stands in nearly every text, most are rare.
struct InventedFeed {
    private var random: SplitMix64
    private let words: [String]

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
        words = Self.inventWords(count: 30_000)
    }

    /// The word of a rank: rank r stands in about one of r/18 episodes.
    static func word(rank: Int) -> String {
        inventWords(count: 30_000)[rank]
    }

    /// One document of a feed, the newest episode first; the bytes of its text are added to `byteCount`.
    mutating func document(feed: Int, episodes: Range<Int>, byteCount: inout Int) -> IncomingFeed {
        var document = IncomingFeed(title: sentence(3))
        document.description = sentence(40)
        document.link = "https://show\(feed).example/"
        document.episodes = episodes.reversed().map { number in episode(feed: feed, number: number) }
        for episode in document.episodes {
            byteCount += [
                episode.guid, episode.title, episode.link, episode.summary, episode.contentHTML, episode.image,
                episode.enclosures[0].url, episode.enclosures[0].type,
            ].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        }
        return document
    }

    private mutating func episode(feed: Int, number: Int) -> IncomingEpisode {
        var episode = IncomingEpisode(guid: "https://show\(feed).example/?p=\(number)", title: sentence(6))
        episode.link = "https://show\(feed).example/episodes/\(number)-\(words[number % words.count])"
        episode.published = Date(timeIntervalSince1970: 1_200_000_000 + Double(number) * 86_400 + Double(feed) * 61)
        episode.summary = sentence(Int.random(in: 20...50, using: &random))
        episode.contentHTML = (0..<Int.random(in: 2...6, using: &random)).map { _ in
            "<p>\(sentence(Int.random(in: 20...60, using: &random)))</p>"
        }.joined()
        episode.image = "https://cdn.example/\(feed)/cover.jpg"
        episode.duration = .seconds(Int.random(in: 600...6000, using: &random))
        episode.enclosures = [
            Enclosure(url: "https://cdn.example/\(feed)/\(number).mp3?source=feed", type: "audio/mpeg", length: 40_000_000)
        ]
        return episode
    }

    private mutating func sentence(_ count: Int) -> String {
        (0..<count).map { _ in word() }.joined(separator: " ")
    }

    /// A rank is drawn so that its logarithm is even: rank r then comes about 1/r as often as rank 1.
    private mutating func word() -> String {
        let even = Double.random(in: 0..<1, using: &random)
        let exponent = even * 14.87
        return words[min(words.count - 1, Int(Double.exp2(exponent)) - 1)]
    }

    private static func inventWords(count: Int) -> [String] {
        var random = SplitMix64(state: 1)
        let syllables = ["ka", "lo", "mi", "ter", "ban", "su", "rei", "dor", "pe", "nal", "vis", "gu", "schi", "fo", "ö"]
        var words: [String] = []
        var seen: Set<String> = []
        while words.count < count {
            let length = 1 + words.count / 2000 % 3 + Int.random(in: 0...2, using: &random)
            let word = (0...length).map { _ in syllables.randomElement(using: &random) ?? "" }.joined()
            if seen.insert(word).inserted { words.append(word) }
        }
        return words
    }
}

extension Double {
    /// Two to a power, without the C library's name for it.
    static func exp2(_ exponent: Double) -> Double {
        let whole = exponent.rounded(.down)
        // Between two powers of two a straight line is even enough.
        return Double(sign: .plus, exponent: Int(whole), significand: 1 + exponent - whole)
    }
}

/// A generator that gives the same numbers for the same seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
