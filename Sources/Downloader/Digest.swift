/// A hash function fed piece by piece.
protocol Digest {
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    consuming func finish() -> [UInt8]
}

/// Starts the hash function of an algorithm.
func makeDigest(_ algorithm: DigestAlgorithm) -> any Digest {
    switch algorithm {
    case .md5: MD5()
    case .sha256: SHA256()
    case .sha384: SHA512(variant: .sha384)
    case .sha512: SHA512(variant: .sha512)
    }
}

/// Cuts a stream of bytes into blocks of one length, and pads its end as MD5 and SHA-2 do.
struct BlockBuffer {
    private var pending: [UInt8] = []
    private(set) var byteCount: UInt64 = 0
    private let blockByteCount: Int

    init(blockByteCount: Int) {
        self.blockByteCount = blockByteCount
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer, _ compress: (UnsafeRawBufferPointer) -> Void) {
        byteCount += UInt64(bytes.count)
        var rest = bytes
        if !pending.isEmpty {
            let missing = min(blockByteCount - pending.count, rest.count)
            pending.append(contentsOf: rest[..<missing])
            rest = UnsafeRawBufferPointer(rebasing: rest[missing...])
            guard pending.count == blockByteCount else { return }
            pending.withUnsafeBytes(compress)
            pending.removeAll(keepingCapacity: true)
        }
        while rest.count >= blockByteCount {
            compress(UnsafeRawBufferPointer(rebasing: rest[..<blockByteCount]))
            rest = UnsafeRawBufferPointer(rebasing: rest[blockByteCount...])
        }
        pending.append(contentsOf: rest)
    }

    /// Appends a one bit, zeros and the length in bits.
    ///
    /// - Parameter isBigEndian: SHA-2 writes the length so, MD5 the other way round.
    mutating func finish(isBigEndian: Bool, _ compress: (UnsafeRawBufferPointer) -> Void) {
        let bitCount = byteCount &* 8
        let lengthByteCount = blockByteCount / 8
        pending.append(0x80)
        if pending.count > blockByteCount - lengthByteCount {
            pending.append(contentsOf: repeatElement(0, count: blockByteCount - pending.count))
            pending.withUnsafeBytes(compress)
            pending.removeAll(keepingCapacity: true)
        }
        pending.append(contentsOf: repeatElement(0, count: blockByteCount - 8 - pending.count))
        let length = isBigEndian ? bitCount.bigEndian : bitCount.littleEndian
        withUnsafeBytes(of: length) { pending.append(contentsOf: $0) }
        pending.withUnsafeBytes(compress)
    }
}

extension Array where Element: FixedWidthInteger {
    /// The words' bytes, each word with its highest byte first.
    var bigEndianBytes: [UInt8] {
        flatMap { word in Swift.withUnsafeBytes(of: word.bigEndian) { Array<UInt8>($0) } }
    }
}
