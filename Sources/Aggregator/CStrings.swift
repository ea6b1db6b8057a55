import Glibc

/// Strings for a C call, which live as long as this does.
struct CStrings: ~Copyable {
    private var pointers: [UnsafeMutablePointer<CChar>] = []

    /// Returns a copy of the text; nil for nil, and where there is no memory for it.
    mutating func add(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text, let copy = strdup(text) else { return nil }
        pointers.append(copy)
        return UnsafePointer(copy)
    }

    deinit {
        for pointer in pointers { free(pointer) }
    }
}
