public import EpisodeStore

/// What is wanted of one feed: its own settings, else the global ones, else the built-in ones.
struct PolicyRules {
    enum Order: String { case newest, oldest }

    var latest = 1

    /// How many of the episodes that were there at the subscription; nil for as many as `latest`.
    var first: Int?
    var keep = Keep.all
    var order = Order.newest

    /// Whether the show tells one story, whose parts have numbers.
    var isSerial = false
    var include: TitlePattern?
    var exclude: TitlePattern?
    var minDuration: Duration?
    var maxDuration: Duration?
    var types: [String] = ["full", "trailer", "bonus"]

    init() {}

    init(_ feed: FeedSettings, over global: FeedSettings) {
        latest = feed.latest ?? global.latest ?? latest
        first = feed.first ?? global.first
        keep = (feed.keep ?? global.keep).flatMap(Keep.init) ?? keep
        order = (feed.order ?? global.order).flatMap(Order.init) ?? order
        include = (feed.include ?? global.include).flatMap(TitlePattern.init)
        // An empty expression fits every title; here it is how a feed takes back a global one.
        exclude = (feed.exclude ?? global.exclude).flatMap { $0.isEmpty ? nil : TitlePattern($0) }
        minDuration = feed.minDuration ?? global.minDuration
        maxDuration = (feed.maxDuration ?? global.maxDuration).flatMap { $0 > .zero ? $0 : nil }
        types = feed.types ?? global.types ?? types
    }

    /// How many downloads `latest` allows: never more than `keep` would leave.
    var latestLimit: Int { capped(latest) }

    /// How many of the episodes that were there at the subscription; nil where `latest` counts them too.
    var firstLimit: Int? { first.map(capped) }

    /// The number of files that `keep` leaves; nil where it counts none.
    var keepsAtMost: Int? {
        if case .files(let files) = keep { files } else { nil }
    }

    private func capped(_ count: Int) -> Int { keepsAtMost.map { min(count, $0) } ?? count }

    /// Says why a filter passes over an episode; nil where none does.
    ///
    /// What a feed does not tell is never held against an episode: one without a duration is neither too short nor
    /// too long.
    func filterReason(for episode: EpisodeRecord) -> String? {
        kindReason(for: episode) ?? lengthReason(for: episode)
    }

    private func lengthReason(for episode: EpisodeRecord) -> String? {
        guard let duration = episode.duration, duration > .zero else { return nil }
        if let minDuration, duration < minDuration { return "it is shorter than 'minDuration'" }
        if let maxDuration, duration > maxDuration { return "it is longer than 'maxDuration'" }
        return nil
    }

    /// Says why a filter of titles or types passes over an episode.
    private func kindReason(for episode: EpisodeRecord) -> String? {
        if let include, !include.fits(episode.title) { return "its title does not fit 'include'" }
        if let exclude, exclude.fits(episode.title) { return "its title fits 'exclude'" }
        if let type = episode.episodeType?.lowercased(), ["trailer", "bonus"].contains(type),
            !types.contains(type)
        {
            return type == "trailer" ? "it is a trailer" : "it is a bonus episode"
        }
        let isFull = !["trailer", "bonus"].contains(episode.episodeType?.lowercased())
        return isFull && !types.contains("full") ? "it is a full episode" : nil
    }

    /// Whether an episode takes one of the places that `latest` gives.
    ///
    /// A file that is there although its title, type or length is not wanted, such as a trailer from before, takes none.
    func takesPlace(_ episode: EpisodeRecord) -> Bool { reasonForNoPlace(episode) == nil }

    /// Says why an episode takes no place.
    ///
    /// A length that only the file tells does not count: its feed need not tell that of others, and then one file after the
    /// other would be fetched in vain.
    func reasonForNoPlace(_ episode: EpisodeRecord) -> String? {
        kindReason(for: episode) ?? (episode.isDurationOfFeed ? lengthReason(for: episode) : nil)
    }
}

/// Says that `keep` allows fewer downloads than `latest` asks for; nil where it does not.
public func latestBeyondKeep(_ feed: FeedSettings, over global: FeedSettings) -> String? {
    let rules = PolicyRules(feed, over: global)
    guard rules.latestLimit < rules.latest else { return nil }
    let count = rules.latestLimit
    return "'keep' is \(count), so that no more than \(count) \(count == 1 ? "is" : "are") downloaded"
}
