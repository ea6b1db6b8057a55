import Glibc

/// How a file that exists already comes into the library.
public enum Placement: Sendable {
    /// A second copy; the file stays where it is.
    case copy

    /// A second name of the same bytes (a hard link), which only works on one file system.
    case link

    /// The file goes away from where it was, once it stands in the library.
    case move
}

/// Gives a file a place in a folder of the library and returns its path; what stands there is never replaced.
///
/// A name that is taken gets a number. The new file appears whole or not at all. `isCancelled` is asked in between
/// while bytes are copied.
public func placeFile(
    _ source: String, in folder: String, stem: String, fileExtension: String, by placement: Placement,
    isCancelled: () -> Bool = { false }
) throws(TransferError) -> String {
    try createFolders(folder)
    let path: String
    switch placement {
    case .link:
        path = try takeName(in: folder, stem, fileExtension) { link(source, $0) == 0 ? 0 : errno }
    case .copy:
        path = try placeCopy(of: source, in: folder, stem, fileExtension, isCancelled)
    case .move:
        do {
            path = try takeName(in: folder, stem, fileExtension) { rename(source, withoutReplacing: $0) }
        } catch .file(let error) where error.code == EXDEV {
            path = try placeCopy(of: source, in: folder, stem, fileExtension, isCancelled)
            try syncFolder(folder)
            guard unlink(source) == 0 else { throw .last("unlink", source) }
        }
    }
    try syncFolder(folder)
    return path
}

private func placeCopy(
    of source: String, in folder: String, _ stem: String, _ fileExtension: String, _ isCancelled: () -> Bool
) throws(TransferError) -> String {
    let original = try PartFile.openForReading(at: source)
    let temporary = "\(folder)/\(temporaryPrefix)\(UInt64.random(in: 0 ... .max))\(temporarySuffix)"
    let copy = try PartFile.create(at: temporary)
    // Gone already where it got its name.
    defer { unlink(temporary) }
    var status = stat()
    guard fstat(original.descriptor, &status) == 0 else { throw .last("fstat", source) }
    try copyBytes(from: original, to: copy, byteCount: Int64(status.st_size), isCancelled: isCancelled)
    try copy.sync()
    return try takeName(in: folder, stem, fileExtension) { rename(temporary, withoutReplacing: $0) }
}

/// Tries one name after another until `take` answers 0; any `errno` but EEXIST ends it.
private func takeName(
    in folder: String, _ stem: String, _ fileExtension: String, take: (String) -> Int32
) throws(TransferError) -> String {
    for number in 1..<1000 {
        let path = "\(folder)/\(number == 1 ? stem : numbered(stem, number)).\(fileExtension)"
        switch take(path) {
        case 0: return path
        case EEXIST: continue
        case let code: throw .failed("create", path, code)
        }
    }
    throw .failed("create", "\(folder)/\(stem).\(fileExtension)", EEXIST)
}
