internal import CZlib

/// Unpacks a gzip file (RFC 1952) from bytes as they arrive.
///
/// HTTP clients unpack what a header announces; this is for a `.xml.gz` that is served, or kept, as a mere file.
final class Gunzip {
    private static let pieceByteCount = 64 * 1024

    private var stream = z_stream()
    private var hasEnded = false
    private var isDamaged = false
    /// Whether the file is damaged, or ends before it is complete.
    var isCut: Bool { isDamaged || !hasEnded }
    private var piece = [UInt8](repeating: 0, count: pieceByteCount)

    static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    init() throws(FeedError) {
        guard podget_inflate_init_gzip(&stream) == Z_OK else { throw .outOfMemory }
    }

    deinit {
        // The result only tells whether data was thrown away.
        _ = inflateEnd(&stream)
    }

    /// Unpacks the next bytes and hands them on in pieces.
    ///
    /// Bytes after the end are ignored, unless another gzip file begins there (RFC 1952 §2.2).
    func push(
        _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws(FeedError) -> Void
    ) throws(FeedError) {
        // zlib reads from a pointer that it declares writable, and writes nothing there.
        let start = bytes.bindMemory(to: UInt8.self).baseAddress.map { UnsafeMutablePointer(mutating: $0) }
        stream.next_in = start
        stream.avail_in = UInt32(bytes.count)
        defer { stream.next_in = nil }
        while !isDamaged, stream.avail_in > 0 || stream.avail_out == 0 {
            if hasEnded {
                guard stream.avail_in > 0, stream.next_in.pointee == 0x1F else { return }
                guard inflateReset(&stream) == Z_OK else { throw .undecodable(encoding: "gzip") }
                hasEnded = false
            }
            let code = fillPiece()
            let count = Self.pieceByteCount - Int(stream.avail_out)
            if count > 0 {
                try piece.span.extracting(first: count).withUnsafeBytes { (bytes) throws(FeedError) in
                    try sink(bytes)
                }
            }
            switch code {
            case Z_OK: continue
            case Z_STREAM_END: hasEnded = true
            // Nothing more can be done with these bytes.
            case Z_BUF_ERROR: return
            case Z_MEM_ERROR: throw .outOfMemory
            default:
                // What came out before the damage is as good as that of a file that was cut there.
                guard stream.total_out > 0 else { throw .undecodable(encoding: "gzip") }
                isDamaged = true
            }
        }
    }

    private func fillPiece() -> Int32 {
        piece.withUnsafeMutableBufferPointer { piece in
            stream.next_out = piece.baseAddress
            stream.avail_out = UInt32(piece.count)
            return inflate(&stream, Z_NO_FLUSH)
        }
    }
}
