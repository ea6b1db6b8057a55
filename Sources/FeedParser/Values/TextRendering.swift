/// Renders HTML for a terminal: paragraphs, lists, quotations, and links as numbers with their addresses below.
///
/// `width` is the number of columns to wrap at; nil leaves each paragraph on one line. Words are never broken.
/// The text holds no control character but the newline.
public func renderText(fromHTML html: String, width: Int?) -> String {
    let renderer = TextRenderer(width: width)
    var html = html
    html.withUTF8 { readHTML($0, encoding: .utf8, handler: renderer) }
    return renderer.finish()
}

/// Lays out the events of HTML as lines.
private final class TextRenderer: HTMLHandler {
    private enum List {
        case bullets
        case numbers(next: Int)
    }

    private struct Link {
        let address: String
        let textStart: Int
    }

    /// Levels of lists and quotations that are shown by indenting.
    private static let indentLimit = 8

    private let width: Int?
    private var lines: [String] = []
    private var wantsBlankLine = false
    /// The text of the block that is being read.
    private var block: [UInt8] = []
    private var isAfterBlank = false
    private var marker: String?
    private var lists: [List] = []
    private var quotationCount = 0
    private var preformattedCount = 0
    private var openLink: Link?
    private var addresses: [String] = []
    private var numberOfAddress: [String: Int] = [:]

    init(width: Int?) {
        self.width = width
    }

    func finish() -> String {
        endBlock()
        if !addresses.isEmpty {
            if !lines.isEmpty { lines.append("") }
            for (index, address) in addresses.enumerated() { lines.append("[\(index + 1)] \(address)") }
        }
        return lines.joined(separator: "\n")
    }

    func start(_ name: String, _ attributes: HTMLAttributes) {
        if cellElements.contains(name) {
            startCell()
        } else if blockElements.contains(name), name != "br" {
            endBlock()
        }
        if spacedElements.contains(name) && lists.isEmpty { wantsBlankLine = true }
        switch name {
        case "br": breakLine()
        case "ul": lists.append(.bullets)
        case "ol": lists.append(.numbers(next: attributes["start"].flatMap { Int($0) } ?? 1))
        case "li": marker = nextMarker()
        case "blockquote": quotationCount += 1
        case "pre": preformattedCount += 1
        case "hr": lines.append("---")
        case "img": appendImage(attributes)
        case "a": startLink(attributes)
        default: break
        }
    }

    func end(_ name: String) {
        if name == "a" { endLink() }
        if blockElements.contains(name), name != "br", !cellElements.contains(name) { endBlock() }
        switch name {
        case "ul", "ol": if !lists.isEmpty { lists.removeLast() }
        case "li": marker = nil
        case "blockquote": quotationCount -= 1
        case "pre": preformattedCount -= 1
        default: break
        }
        if spacedElements.contains(name) && lists.isEmpty { wantsBlankLine = true }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        if preformattedCount > 0 {
            block.append(contentsOf: text.lazy.filter { $0 >= 0x20 || $0 == 0x0A })
            return
        }
        for byte in text {
            if byte <= 0x20 {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, let last = block.last, last > 0x20 { block.append(0x20) }
            isAfterBlank = false
            block.append(byte)
        }
    }

    private func append(_ string: String) {
        var string = string
        string.withUTF8 { text($0) }
    }

    private func breakLine() {
        block.append(0x0A)
        isAfterBlank = false
    }

    private func appendImage(_ attributes: HTMLAttributes) {
        guard let description = attributes["alt"], !description.isEmpty else { return }
        append("[" + description + "]")
    }

    private func startLink(_ attributes: HTMLAttributes) {
        endLink()
        guard let address = attributes["href"], isShownAddress(address) else { return }
        openLink = Link(address: plainAddress(address), textStart: block.count)
    }

    /// Puts the link's number behind its text, unless the text is the address.
    private func endLink() {
        guard let link = openLink else { return }
        openLink = nil
        let text = block.dropFirst(link.textStart).drop { $0 <= 0x20 }
        guard !text.isEmpty, !text.elementsEqual(link.address.utf8) else { return }
        let number = numberOfAddress[link.address] ?? addresses.count + 1
        if number > addresses.count {
            addresses.append(link.address)
            numberOfAddress[link.address] = number
        }
        block.append(contentsOf: " [\(number)]".utf8)
    }

    private func startCell() {
        if let last = block.last, last > 0x20 { block.append(contentsOf: " |".utf8) }
        isAfterBlank = true
    }

    private func nextMarker() -> String {
        guard case .numbers(let number)? = lists.last else { return "•" }
        lists[lists.count - 1] = .numbers(next: number &+ 1)
        return "\(number)."
    }

    private func endBlock() {
        endLink()
        defer {
            block.removeAll(keepingCapacity: true)
            isAfterBlank = false
        }
        let text = String(decoding: block, as: UTF8.self)
        let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false).map(trimmedEnd)
        guard let first = paragraphs.firstIndex(where: { !$0.isEmpty }),
            let last = paragraphs.lastIndex(where: { !$0.isEmpty })
        else { return }
        if wantsBlankLine, !lines.isEmpty { lines.append("") }
        wantsBlankLine = false
        for paragraph in paragraphs[first...last] { appendLines(of: paragraph) }
    }

    private func appendLines(of paragraph: Substring) {
        let quotation = String(repeating: "> ", count: min(quotationCount, Self.indentLimit))
        let level = min(lists.count, Self.indentLimit)
        let outer = quotation + String(repeating: "  ", count: max(level - 1, 0))
        let inner = outer + (level > 0 ? String(repeating: " ", count: (marker?.count ?? 1) + 1) : "")
        let start = marker.map { outer + $0 + " " } ?? inner
        // The marker stays for the item's width, but stands only before its first line.
        marker = marker.map { String(repeating: " ", count: $0.count) }
        let isFixed = preformattedCount > 0 || width == nil
        let wrapped = isFixed ? [String(paragraph)] : wrap(paragraph, width: (width ?? 0) - inner.count)
        for (index, line) in wrapped.enumerated() {
            lines.append(String(trimmedEnd((index == 0 ? start : inner)[...] + line)))
        }
    }
}

/// Elements that stand apart from the text before and after by an empty line.
private let spacedElements: Set<String> = [
    "blockquote", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul",
]

private let cellElements: Set<String> = ["td", "th"]

private func isShownAddress(_ address: String) -> Bool {
    let start = address.prefix(8).lowercased()
    return start.hasPrefix("http:") || start.hasPrefix("https:") || start.hasPrefix("mailto:")
}

/// An address without what a terminal would obey.
private func plainAddress(_ address: String) -> String {
    String(
        String.UnicodeScalarView(
            address.unicodeScalars.filter { $0.value > 0x20 && !(0x7F..<0xA0 ~= $0.value) }))
}

private func trimmedEnd(_ text: Substring) -> Substring {
    let end = text.lastIndex { $0 != " " }
    return end.map { text[...$0] } ?? ""
}
