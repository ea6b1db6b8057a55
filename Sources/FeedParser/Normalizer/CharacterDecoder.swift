internal import CLibXML2
import Glibc

/// Turns the bytes of a document into valid UTF-8, whatever they are.
///
/// A push filter: any split of the input gives the same output. Valid UTF-8 passes without a copy.
struct CharacterDecoder {
    /// The first line, counted from 1, whose bytes are not in the encoding that the document states.
    ///
    /// 0 where the statement is wrong as a whole; nil where nothing had to be repaired.
    private(set) var repairedLine: Int?

    private enum Mode {
        case detecting
        case adaptive
        /// Windows-1252 throughout: the first character beyond ASCII was no UTF-8.
        case windows1252
        /// A declared encoding, held back until the bytes can be compared with UTF-8.
        case judging(name: String)
        case converting(Converter)
    }

    /// Bytes looked at for a declaration, and bytes compared with UTF-8 where another encoding is declared.
    private static let declarationWindow = 1024
    private static let judgementWindow = 4096

    private let contentType: String?
    private var mode = Mode.detecting
    private var pending: [UInt8] = []
    private var hasSeenUTF8 = false
    private var isWindows1252Stated = false
    /// The line that is being decoded, until something had to be repaired.
    private var line = 1

    init(contentType: String?) {
        self.contentType = contentType
    }

    /// Takes the next bytes and hands on what is decided of them; `isLast` ends the input.
    mutating func push<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool,
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard !pending.isEmpty else {
            pending = try decode(bytes, isLast: isLast, to: sink)
            return
        }
        var joined = pending
        joined.append(contentsOf: bytes)
        pending = []
        pending = try joined.span.withUnsafeBytes { (joined) throws(Failure) in
            try decode(joined, isLast: isLast, to: sink)
        }
    }

    /// Decodes what can be decided, and returns the rest.
    private mutating func decode<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool,
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        switch mode {
        case .detecting:
            guard isLast || bytes.count >= Self.declarationWindow else { return Array(bytes) }
            let start = Array(bytes.prefix(Self.declarationWindow))
            let (encoding, markLength) = declaredEncoding(start: start, contentType: contentType)
            switch encoding {
            case .adaptive: mode = .adaptive
            case .latin1:
                mode = .adaptive
                isWindows1252Stated = true
            // The bytes of ISO-2022 are all ASCII, and are not compared with UTF-8.
            case .named(let name)
            where markLength > 0 || name.hasPrefix("UTF-") || name.hasPrefix("ISO-2022"):
                startConverting(name)
            case .named(let name): mode = .judging(name: name)
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(markLength))
            return try decode(rest, isLast: isLast, to: sink)
        case .judging(let name):
            guard let first = bytes.firstIndex(where: { $0 >= 0x80 }) else {
                try hand(bytes[...], to: sink)
                return []
            }
            guard isLast || bytes.count - first >= Self.judgementWindow else { return Array(bytes) }
            let window = UnsafeRawBufferPointer(rebasing: bytes[first...].prefix(Self.judgementWindow))
            if isUTF8(window) {
                noteRepair(line: 0)
                mode = .adaptive
            } else {
                startConverting(name)
            }
            return try decode(bytes, isLast: isLast, to: sink)
        case .adaptive:
            return try decodeAdaptively(bytes, isLast: isLast, to: sink)
        case .windows1252:
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count + bytes.count / 8)
            for byte in bytes { text.appendUTF8(windows1252CodePoint(byte)) }
            try hand(text, to: sink)
            return []
        case .converting(let converter):
            let (text, rest) = converter.convert(bytes, isLast: isLast)
            if let offset = converter.lossOffset {
                noteRepair(line: line + text.withUnsafeBytes { lineBreakCount($0[..<offset]) })
            }
            try hand(text, to: sink)
            return rest
        }
    }

    private mutating func startConverting(_ name: String) {
        guard let converter = Converter(from: name) else {
            // An unknown name says nothing; the bytes themselves decide.
            noteRepair(line: 0)
            mode = .adaptive
            return
        }
        mode = .converting(converter)
    }

    private mutating func decodeAdaptively<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool,
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var start = 0
        var index = 0
        while true {
            index = endOfASCII(bytes, from: index)
            guard index < bytes.count else { break }
            switch utf8Sequence(UnsafeRawBufferPointer(rebasing: bytes[index...].prefix(4))) {
            case .character(let length):
                hasSeenUTF8 = true
                index += length
            case .incomplete where !isLast:
                try hand(bytes[start..<index], to: sink)
                return Array(bytes[index...])
            case .incomplete, .invalid:
                try hand(bytes[start..<index], to: sink)
                if hasSeenUTF8 || !isWindows1252Stated { noteRepair(line: line) }
                if !hasSeenUTF8 {
                    mode = .windows1252
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
                    return try decode(rest, isLast: isLast, to: sink)
                }
                var repaired: [UInt8] = []
                repaired.appendUTF8(windows1252CodePoint(bytes[index]))
                try hand(repaired, to: sink)
                index += 1
                start = index
            }
        }
        try hand(bytes[start...], to: sink)
        return []
    }

    private mutating func noteRepair(line: Int) {
        repairedLine = repairedLine ?? line
    }

    private mutating func hand<Failure: Error>(
        _ bytes: Slice<UnsafeRawBufferPointer>, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard !bytes.isEmpty else { return }
        if repairedLine == nil { line += lineBreakCount(bytes) }
        try sink(UnsafeRawBufferPointer(rebasing: bytes))
    }

    private mutating func hand<Failure: Error>(
        _ bytes: [UInt8], to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try bytes.span.withUnsafeBytes { (bytes) throws(Failure) in try hand(bytes[...], to: sink) }
    }
}

/// The index of the first byte beyond ASCII, many bytes at a time.
func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 32 <= bytes.count {
        let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
        if (block[0] | block[1] | block[2] | block[3]) & 0x8080_8080_8080_8080 != 0 { break }
        index += 32
    }
    while index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
        index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
}

/// Whether the bytes are UTF-8, apart from a character cut off at the end.
private func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while true {
        index = endOfASCII(bytes, from: index)
        guard index < bytes.count else { return true }
        switch utf8Sequence(UnsafeRawBufferPointer(rebasing: bytes[index...].prefix(4))) {
        case .character(let length): index += length
        case .incomplete: return true
        case .invalid: return false
        }
    }
}

/// Converts one encoding to UTF-8 with iconv; what cannot be converted becomes U+FFFD.
final class Converter {
    private let descriptor: iconv_t
    /// Bytes of the smallest part of a character.
    private let unitByteCount: Int
    /// Where in the text that came last bytes stand for no character.
    private(set) var lossOffset: Int?

    init?(from name: String) {
        unitByteCount = name.hasPrefix("UTF-32") ? 4 : name.hasPrefix("UTF-16") ? 2 : 1
        let opened = iconv_open("UTF-8", name)
        // iconv_open reports failure as (iconv_t)-1.
        guard let opened, Int(bitPattern: opened) != -1 else { return nil }
        descriptor = opened
    }

    deinit {
        // Closing frees memory only and has nothing to report.
        _ = iconv_close(descriptor)
    }

    /// Converts as much as is complete; the rest is at most one character cut off.
    func convert(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> (text: [UInt8], rest: [UInt8]) {
        lossOffset = nil
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        var input = Array(bytes).map { CChar(bitPattern: $0) }
        var done = 0
        var buffer = [CChar](repeating: 0, count: 64 * 1024)
        while done < input.count {
            var written = 0
            let failure = input.withUnsafeMutableBufferPointer { input -> Int32 in
                var source = input.baseAddress.map { $0 + done }
                var sourceLeft = input.count - done
                return buffer.withUnsafeMutableBufferPointer { buffer -> Int32 in
                    var target = buffer.baseAddress
                    var targetLeft = buffer.count
                    errno = 0
                    let result = iconv(descriptor, &source, &sourceLeft, &target, &targetLeft)
                    let code = result == -1 ? errno : 0
                    written = buffer.count - targetLeft
                    done = input.count - sourceLeft
                    return code
                }
            }
            text.append(contentsOf: buffer[..<written].lazy.map { UInt8(bitPattern: $0) })
            switch failure {
            case EILSEQ:
                text.append(contentsOf: [0xEF, 0xBF, 0xBD])
                lossOffset = lossOffset ?? text.count - 3
                done = min(done + unitByteCount, input.count)
            case EINVAL:
                if isLast { return (text, []) }
                return (text, input[done...].map { UInt8(bitPattern: $0) })
            default: break
            }
        }
        return (text, [])
    }
}
