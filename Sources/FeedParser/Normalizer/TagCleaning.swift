extension MarkupCleaner {
    /// Lets a tag pass, or writes it anew where XML would not take it.
    mutating func cleanTag(_ tag: ScannedTag, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        let name = bytes[tag.name]
        if state == .prolog, tag.isEnd || !roots.contains(localName(name)) {
            note(.junk, bytes, start, "markup before the root element was left out")
            return drop(bytes, start, tag.length)
        }
        if tag.isEnd { return cleanEndTag(tag, name, bytes, start) }
        state = .content
        output.endSection(at: start)
        closeImplied(before: name, at: start)
        if tag.isEmpty && openTags.isEmpty {
            state = .finished
        } else if !tag.isEmpty {
            openTags.push(name)
        }
        guard !tag.isClean else { return tag.length }
        if tag.hasTooManyAttributes {
            note(
                .tooManyAttributes, bytes, start,
                "the attributes beyond \(context.limits.attributeCount) were left out")
        }
        output.replace(from: start, to: start + tag.length)
        output.append("<")
        output.append(name)
        for attribute in tag.attributes {
            let attributeName = bytes[attribute.name]
            output.append(" ")
            output.append(attributeName)
            output.append("=\"")
            output.appendAttributeValue(bytes[attribute.value], of: attributeName)
            output.append("\"")
        }
        output.appendLineBreaks(lineBreakCount(bytes[start..<start + tag.length]))
        output.append(tag.isEmpty ? "/>" : ">")
        return tag.length
    }

    /// Ends what cannot hold the element that begins: elements of HTML without end tags, and an item within an item.
    private mutating func closeImplied(before name: Slice<UnsafeRawBufferPointer>, at start: Int) {
        guard name.count <= 6 else { return }
        var count = 0
        if openTags.lastIs(oneOf: voidNames)
            || (name.count <= 2 && selfClosingNames.contains { areEqual(name, $0) } && openTags.lastIs(name))
        {
            count = 1
        } else if isEntry(name), let depth = openTags.distance(to: name) {
            count = depth + 1
        }
        guard count > 0 else { return }
        output.replace(from: start, to: start)
        for _ in 0..<count {
            if let open = openTags.pop() { output.appendEndTag(open) }
        }
    }

    /// Closes the nearest open element of that name, and those within it; an end tag without a start goes.
    private mutating func cleanEndTag(
        _ tag: ScannedTag, _ name: Slice<UnsafeRawBufferPointer>, _ bytes: UnsafeRawBufferPointer,
        _ start: Int
    ) -> Int {
        let isLast = openTags.lastIs(name)
        guard let depth = isLast ? 0 : openTags.distance(to: name) else {
            note(
                .markup, bytes, start, "the end tag '\(String(decoding: name, as: UTF8.self))' closes nothing"
            )
            return drop(bytes, start, tag.length)
        }
        output.endSection(at: start)
        if !isLast || !tag.isClean {
            if depth > 0 {
                note(
                    .markup, bytes, start,
                    "'\(String(decoding: name, as: UTF8.self))' ends before what it contains")
            }
            output.replace(from: start, to: start + tag.length)
            for _ in 0...depth {
                if let open = openTags.pop() { output.appendEndTag(open) }
            }
        } else {
            openTags.dropLast()
        }
        if openTags.isEmpty { state = .finished }
        return tag.length
    }
}

/// The name without its prefix, in lower case.
private func localName(_ name: Slice<UnsafeRawBufferPointer>) -> String {
    let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
    return String(decoding: name[start...], as: UTF8.self).lowercased()
}

/// Whether an element of this name is an item or entry.
func isEntry(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    areEqual(name, "item") || areEqual(name, "entry")
}

/// Elements of HTML that hold nothing.
private let voidNames: [StaticString] = ["br", "hr", "img", "wbr"]

/// Elements of HTML that end where the next of their kind begins.
private let selfClosingNames: [StaticString] = ["p", "li", "dt", "dd", "tr", "td", "th"]
