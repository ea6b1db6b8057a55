/// A short stretch of an episode that speaks for it.
public struct Soundbite: Sendable, Equatable, Encodable {
    /// Seconds.
    public var start: Double
    /// Seconds.
    public var duration: Double
    public var title: String?

    public init(start: Double, duration: Double, title: String? = nil) {
        self.start = start
        self.duration = duration
        self.title = title
    }
}
