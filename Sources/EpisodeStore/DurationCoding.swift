/// Durations stand in JSON as seconds.
///
/// The compiler's own `Codable` code picks these methods, the more special ones, over those for any `Codable` value,
/// which would write a duration as two halves of a number of attoseconds.
extension KeyedEncodingContainer {
    mutating func encode(_ duration: Duration, forKey key: Key) throws {
        try encode(Double(duration.stored) / 1000, forKey: key)
    }

    mutating func encodeIfPresent(_ duration: Duration?, forKey key: Key) throws {
        try encodeIfPresent(duration.map { Double($0.stored) / 1000 }, forKey: key)
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
        duration(seconds: try decode(Double.self, forKey: key))
    }

    func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
        try decodeIfPresent(Double.self, forKey: key).map(duration(seconds:))
    }

    /// Rounds to the milliseconds that were written.
    private func duration(seconds: Double) -> Duration {
        Duration(stored: Int64(exactly: (seconds * 1000).rounded()) ?? 0)
    }
}
