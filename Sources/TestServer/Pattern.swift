import Glibc

/// A deterministic body of any size that is never held in memory as a whole.
///
/// After the prefix comes an endless repetition of one block. Its length is a prime, so that a piece sent or
/// stored at a wrong offset shows at the first comparison.
public struct Pattern: Sendable, Equatable {
    public var prefix: [UInt8]
    public var byteCount: Int64

    public init(byteCount: Int64, prefix: [UInt8] = Pattern.mp3Prefix) {
        self.prefix = prefix
        self.byteCount = byteCount
    }

    /// An empty ID3 tag and the head of an MPEG layer III frame.
    public static let mp3Prefix: [UInt8] =
        Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0] + [0xFF, 0xFB, 0x90, 0x00]

    static let blockByteCount = 1_048_573

    private static let block: [UInt8] = {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        var bytes = [UInt8](repeating: 0, count: blockByteCount + 7)
        bytes.withUnsafeMutableBytes { buffer in
            var offset = 0
            while offset < blockByteCount {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                buffer.storeBytes(of: state, toByteOffset: offset, as: UInt64.self)
                offset += 8
            }
        }
        bytes.removeLast(7)
        return bytes
    }()

    /// Lends the longest piece that lies in one stretch of memory from `offset` on, at most `limit` bytes.
    public func withPiece<Result>(
        at offset: Int64, limit: Int64, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let wanted = Int(min(limit, byteCount - offset))
        if offset < prefix.count {
            return try prefix.withUnsafeBytes { bytes in
                let start = Int(offset)
                return try body(
                    UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + wanted, bytes.count)]))
            }
        }
        let start = Int(offset % Int64(Self.blockByteCount))
        return try Self.block.withUnsafeBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + wanted, bytes.count)]))
        }
    }

    /// All bytes of a small pattern.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        while Int64(bytes.count) < byteCount {
            withPiece(at: Int64(bytes.count), limit: byteCount) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Finds the first byte in which a file differs from the pattern, its length included.
    public func firstDifference(fromFileAt path: String) -> Int64? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: Int64 = 0
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { return offset == byteCount ? nil : offset }
            guard offset + Int64(count) <= byteCount else { return byteCount }
            if let difference = firstDifference(from: buffer.prefix(count), at: offset) { return difference }
            offset += Int64(count)
        }
    }

    private func firstDifference(from bytes: ArraySlice<UInt8>, at start: Int64) -> Int64? {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let offset = start + Int64(done)
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let equal = withPiece(at: offset, limit: Int64(rest.count)) { piece in
                    guard let left = piece.baseAddress, let right = rest.baseAddress else { return 0 }
                    return memcmp(left, right, piece.count) == 0 ? piece.count : 0
                }
                if equal == 0 { return offset }
                done += equal
            }
            return nil
        }
    }
}
