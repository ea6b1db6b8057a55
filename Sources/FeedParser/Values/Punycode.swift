/// Writes an internationalised host name in ASCII, RFC 3490 with Unicode's lower case as its preparation.
func asciiHost(_ host: String) -> String {
    host.lowercased()
        .split(separator: ".", omittingEmptySubsequences: false)
        .map { label in label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + punycode(String(label))
        }
        .joined(separator: ".")
}

/// Encodes one label of a host name, RFC 3492 section 6.3.
private func punycode(_ label: String) -> String {
    let scalars = label.unicodeScalars.map(\.value)
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }

    var nextScalar: UInt32 = 128
    var delta = 0
    var bias = 72
    var handledCount = basicCount
    while handledCount < scalars.count {
        guard let smallest = scalars.filter({ $0 >= nextScalar }).min() else { break }
        delta += Int(smallest - nextScalar) * (handledCount + 1)
        nextScalar = smallest
        for scalar in scalars {
            if scalar < nextScalar { delta += 1 }
            guard scalar == nextScalar else { continue }
            appendNumber(delta, bias: bias, to: &output)
            bias = adaptedBias(delta, pointCount: handledCount + 1, isFirst: handledCount == basicCount)
            delta = 0
            handledCount += 1
        }
        delta += 1
        nextScalar += 1
    }
    return String(decoding: output, as: UTF8.self)
}

/// Writes a number of variable length, base 36.
private func appendNumber(_ number: Int, bias: Int, to output: inout [UInt8]) {
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var rest = number
    var position = 36
    while true {
        let threshold = min(max(position - bias, 1), 26)
        if rest < threshold { break }
        output.append(digits[threshold + (rest - threshold) % (36 - threshold)])
        rest = (rest - threshold) / (36 - threshold)
        position += 36
    }
    output.append(digits[rest])
}

/// RFC 3492 section 6.1.
private func adaptedBias(_ delta: Int, pointCount: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / pointCount
    var bias = 0
    while delta > 455 {
        delta /= 35
        bias += 36
    }
    return bias + 36 * delta / (delta + 38)
}
