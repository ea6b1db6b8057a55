import Glibc

/// What the second line of every file of ours says, by which a later run knows that it may replace it.
let ownershipMark = "Written by podget"

/// Writes a file where the user wants it, as one step, and never over a file that is not ours unless told to.
///
/// `text` carries the mark in its second line. Devices, pipes and folders are never replaced; of a symbolic link the
/// file that it leads to is written.
public func writeOutput(_ text: String, to path: String, replacingForeign: Bool) throws(AggregatorError) {
    let target = realPath(path) ?? path
    var information = stat()
    if lstat(target, &information) == 0 {
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw .file(path, reason: "is not a file that could be replaced; name another one")
        }
        guard replacingForeign || isOurs(target) else {
            throw .file(path, reason: "exists, and podget did not write it; --force replaces it")
        }
    } else if access(folderPart(of: target), F_OK) != 0 {
        throw .file(folderPart(of: path), reason: "there is no such folder; create it, or name another file")
    }
    try replaceFile(at: target, with: text)
}

/// The folder in which a file written to `path` lies, with links followed: what relative paths in it count from.
public func outputFolder(of path: String) -> String {
    if let target = realPath(path) { return folderPart(of: target) }
    return realPath(folderPart(of: path)) ?? folderPart(of: path)
}

/// Whether nothing stands there, or a file of ours.
func isOursOrFree(_ path: String) -> Bool {
    var information = stat()
    return lstat(path, &information) != 0 && errno == ENOENT || isOurs(path)
}

/// Whether the second line of a file carries our mark.
private func isOurs(_ path: String) -> Bool {
    var start: [UInt8] = []
    do {
        try readFile(path) { piece in
            start = Array(piece.prefix(512))
            throw BeginningRead()
        }
    } catch is BeginningRead {
        let lines = start.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        return lines.count > 2 && String(decoding: lines[1], as: UTF8.self).contains(ownershipMark)
    } catch {
        return false
    }
    return false
}

/// Ends the reading of a file of which the beginning is enough.
struct BeginningRead: Error {}
