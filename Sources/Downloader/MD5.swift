/// MD5 (RFC 1321), for `Content-MD5` only: it finds damage, not malice.
struct MD5: Digest {
    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    private var buffer = BlockBuffer(blockByteCount: 64)

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        buffer.update(bytes) { compress($0, into: &state) }
    }

    consuming func finish() -> [UInt8] {
        buffer.finish(isBigEndian: false) { compress($0, into: &state) }
        return state.map(\.byteSwapped).bigEndianBytes
    }
}

private func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
        let mixed: UInt32
        let word: Int
        switch index / 16 {
        case 0: (mixed, word) = ((b & c) | (~b & d), index)
        case 1: (mixed, word) = ((d & b) | (~d & c), (5 * index + 1) % 16)
        case 2: (mixed, word) = (b ^ c ^ d, (3 * index + 5) % 16)
        default: (mixed, word) = (c ^ (b | ~d), (7 * index) % 16)
        }
        let value = UInt32(littleEndian: block.loadUnaligned(fromByteOffset: word * 4, as: UInt32.self))
        let sum = a &+ mixed &+ roundConstants[index] &+ value
        let shift = shifts[index / 16 * 4 + index % 4]
        (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
}

private let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

private let roundConstants: [UInt32] = [
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A,
    0xA8304613, 0xFD469501, 0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE,
    0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821, 0xF61E2562, 0xC040B340,
    0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8,
    0x676F02D9, 0x8D2A4C8A, 0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C,
    0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70, 0x289B7EC6, 0xEAA127FA,
    0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92,
    0xFFEFF47D, 0x85845DD1, 0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1,
    0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
]
