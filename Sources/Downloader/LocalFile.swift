import Glibc

/// Opens the file of a `file:` address if it lies in or below the feed's own folder.
///
/// The path is judged as opened, not as written: `..`, encoded characters and symbolic links have all been
/// followed by then, and nothing can be exchanged between the check and the use.
func openLocalFile(_ url: String, within folder: String) throws(TransferError) -> PartFile {
    guard let path = localPath(of: url) else { throw .refusedFile("not the address of a file here") }
    // Not blocking, for the path may turn out to be a pipe.
    let file: PartFile
    do {
        file = try PartFile.openForReading(at: path, followsLinks: true)
    } catch .file(let error) where error.code == EINVAL {
        throw .refusedFile("no regular file")
    }
    guard let folderPath = realpath(folder, nil) else { throw .last("realpath", folder) }
    defer { free(folderPath) }
    let openedPath = try pathOfOpened(file)
    let base = String(cString: folderPath)
    guard openedPath.hasPrefix(base.hasSuffix("/") ? base : base + "/") else {
        throw .refusedFile("outside the feed's own folder")
    }
    return file
}

/// Reads the file of a `file:` address if it lies in or below the feed's own folder, and is not too large.
public func readLocalFile(
    _ url: String, within folder: String, byteLimit: Int
) throws(TransferError) -> [UInt8] {
    let file = try openLocalFile(url, within: folder)
    guard try file.byteCount() <= byteLimit else { throw .tooLarge(byteLimit: Int64(byteLimit)) }
    var bytes = [UInt8](repeating: 0, count: Int(try file.byteCount()))
    let count = try file.read(at: 0, into: &bytes)
    return Array(bytes.prefix(count))
}

/// Takes the path of `file:///path` and `file://localhost/path`, decoded; nil for any other address.
func localPath(of url: String) -> String? {
    guard url.lowercased().hasPrefix("file:") else { return nil }
    var rest = url.dropFirst(5).prefix { $0 != "?" && $0 != "#" }
    if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        if rest.lowercased().hasPrefix("localhost/") { rest = rest.dropFirst(9) }
    }
    guard rest.hasPrefix("/"), let path = percentDecoded(rest), !path.utf8.contains(0) else { return nil }
    return path
}

/// Decodes `%XX`; nil where that is no UTF-8 or the two digits are missing.
func percentDecoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        // A sign would pass as a number.
        guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
}

private func pathOfOpened(_ file: PartFile) throws(TransferError) -> String {
    let link = "/proc/self/fd/\(file.descriptor)"
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(link, &bytes, bytes.count - 1)
    guard count > 0 else { throw .last("readlink", link) }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
