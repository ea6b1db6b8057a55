import Glibc

/// The name of an element: what tables of rules are keyed by.
struct Element: Hashable, Sendable {
    var namespace: Namespace
    /// Without the prefix, in lower case, for feeds are careless with case.
    var name: String

    init(_ namespace: Namespace, _ name: String) {
        self.namespace = namespace
        self.name = name
    }
}

/// One attribute of an element.
struct Attribute: Equatable, Sendable {
    /// Without the prefix, in lower case.
    var name: String
    var value: String
}

/// A start tag as the XML parser reports it.
///
/// It points into the parser's memory: it must not be kept beyond the call that brought it.
struct StartTag {
    let element: Element
    /// A number that stands for the element's qualified name in this document; nil for one too many to count.
    let elementID: Int?
    /// Whether the element was written without a prefix.
    let isUnprefixed: Bool
    /// libxml2's copy of the namespace, of which there is one in a document.
    let uri: UnsafePointer<UInt8>?
    private let localName: UnsafePointer<UInt8>
    private let attributeParts: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    private let attributeCount: Int

    init(
        element: Element, elementID: Int?, isUnprefixed: Bool, uri: UnsafePointer<UInt8>?,
        localName: UnsafePointer<UInt8>,
        attributeParts: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, attributeCount: Int
    ) {
        self.element = element
        self.elementID = elementID
        self.isUnprefixed = isUnprefixed
        self.uri = uri
        self.localName = localName
        self.attributeParts = attributeParts
        self.attributeCount = attributeParts == nil ? 0 : attributeCount
    }

    /// The name as the document writes it, without the prefix.
    var writtenName: String { String(cString: localName) }

    func isInNamespace(_ other: UnsafePointer<UInt8>?) -> Bool { uri != nil && uri == other }

    var namespaceURI: String? { uri.map { String(cString: $0) } }

    /// The attributes, copied.
    var attributes: [Attribute] {
        if attributeCount == 0 { return [] }
        var attributes: [Attribute] = []
        attributes.reserveCapacity(attributeCount)
        for index in 0..<attributeCount {
            if let name = name(of: index) {
                attributes.append(
                    Attribute(name: lowercasedName(name), value: value(of: index)))
            }
        }
        return attributes
    }

    /// The attributes of a namespace, copied.
    func attributes(inNamespace uri: StaticString) -> [Attribute] {
        (0..<attributeCount).compactMap { index in
            guard let own = attributeParts?[5 * index + 2], hasName(own, uri), let name = name(of: index)
            else { return nil }
            return Attribute(name: String(cString: name).lowercased(), value: value(of: index))
        }
    }

    /// The attribute of the `xml` namespace with this name.
    func xmlAttribute(_ name: StaticString) -> String? {
        for index in 0..<attributeCount where isXML(index) {
            if let candidate = self.name(of: index), hasName(candidate, name) { return value(of: index) }
        }
        return nil
    }

    // libxml2 gives five pointers per attribute: local name, prefix, namespace, start and end of the value.
    private func name(of index: Int) -> UnsafePointer<UInt8>? { attributeParts?[5 * index] }

    private func isXML(_ index: Int) -> Bool {
        guard let prefix = attributeParts?[5 * index + 1] else { return false }
        return hasName(prefix, "xml")
    }

    private func value(of index: Int) -> String {
        guard let start = attributeParts?[5 * index + 3], let end = attributeParts?[5 * index + 4] else {
            return ""
        }
        let bytes = UnsafeBufferPointer(start: start, count: end - start)
        // Every ampersand of a value comes as a reference, for libxml2 expects its tree builder to parse it again.
        return bytes.contains(UInt8(ascii: "&"))
            ? withPlainAmpersands(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    private func hasName(_ candidate: UnsafePointer<UInt8>, _ name: StaticString) -> Bool {
        for index in 0..<name.utf8CodeUnitCount where candidate[index] != name.utf8Start[index] {
            return false
        }
        return candidate[name.utf8CodeUnitCount] == 0
    }
}

/// Replaces each `&#38;` by the ampersand it stands for.
private func withPlainAmpersands(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let reference = "&#38;".utf8
    return String(unsafeUninitializedCapacity: bytes.count) { plain in
        var count = 0
        var index = 0
        while index < bytes.count {
            plain[count] = bytes[index]
            count += 1
            let isReference = bytes[index] == UInt8(ascii: "&") && bytes[index...].starts(with: reference)
            index += isReference ? reference.count : 1
        }
        return count
    }
}

/// A name in lower case.
private func lowercasedName(_ name: UnsafePointer<UInt8>) -> String {
    let bytes = UnsafeBufferPointer(
        start: name, count: strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)))
    let text = String(decoding: bytes, as: UTF8.self)
    return bytes.contains { $0 >= 0x80 || $0 &- UInt8(ascii: "A") < 26 } ? text.lowercased() : text
}
