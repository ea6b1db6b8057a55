import TestServer
import Testing

@testable import FeedParser

/// What libxml2 is given for the documents that people publish.
@Suite struct MarkupCleanerTests {
    private func clean(_ text: String, splits: [Int] = [], limits: ParserLimits = ParserLimits()) -> String {
        var output: [UInt8] = []
        let sink = CleanXMLSink(
            markup: { output.append(contentsOf: $0) }, text: { output.append(contentsOf: $0) })
        var cleaner = MarkupCleaner(roots: ["r"], context: ParseContext(limits: limits), sink: sink)
        // The filter stands behind the decoder, which never parts a character.
        let bytes = Array(text.utf8)
        var start = 0
        for split in splits + [bytes.count] {
            var end = min(split, bytes.count)
            while end > start, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes[start..<end].withUnsafeBytes { cleaner.push($0) }
            start = end
        }
        cleaner.finish()
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: [
        ReadingCase("clean", "<r><a b='1'>x</a></r>", "<r><a b='1'>x</a></r>"),
        ReadingCase("a bare &", "<r>a & b</r>", "<r>a <![CDATA[& b]]></r>"),
        ReadingCase("an entity of HTML", "<r>caf&eacute; &hellip;</r>", "<r>caf<![CDATA[é …]]></r>"),
        ReadingCase("an entity of XML", "<r>&lt;p&gt;</r>", "<r><![CDATA[<p>]]></r>"),
        ReadingCase("an unknown entity", "<r>&what;</r>", "<r><![CDATA[&what;]]></r>"),
        ReadingCase("Windows-1252 by number", "<r>&#146;</r>", "<r><![CDATA[’]]></r>"),
        ReadingCase("a forbidden number", "<r>a&#0;b&#xFFFF;c</r>", "<r>abc</r>"),
        ReadingCase("a line feed by number", "<r>a & b&#10;c</r>", "<r>a <![CDATA[& b]]>&#10;c</r>"),
        ReadingCase("< before a blank", "<r>1 < 2</r>", "<r>1 <![CDATA[< 2]]></r>"),
        ReadingCase("]]> in text", "<r>a]]>b</r>", "<r>a]]<![CDATA[>b]]></r>"),
        ReadingCase("]]> after a fault", "<r>&a]]>b</r>", "<r><![CDATA[&a]]>b]]></r>"),
        ReadingCase("]] by number", "<r>&#93;]></r>", "<r><![CDATA[]]>]]></r>"),
        ReadingCase("CDATA", "<r><![CDATA[a & <b>]]></r>", "<r><![CDATA[a & <b>]]></r>"),
        ReadingCase("CDATA after a fault", "<r>&<![CDATA[a]]></r>", "<r><![CDATA[&a]]></r>"),
        ReadingCase("CDATA that is not closed", "<r><![CDATA[a", "<r><![CDATA[a]]></r>"),
        ReadingCase("a control character", "<r>a\u{0B}b<![CDATA[c\u{1}d]]></r>", "<r>ab<![CDATA[cd]]></r>"),
        ReadingCase("a comment", "<r>a<!-- & -- <x> -->b</r>", "<r>ab</r>"),
        ReadingCase("a comment that is not closed", "<r>a<!-- b", "<r>a</r>"),
        ReadingCase("an instruction", "<r><?php echo 1 ?>b</r>", "<r>b</r>"),
        ReadingCase(
            "a document type", "<!DOCTYPE r [<!ENTITY a \"b\">]><r>&a;</r>", "<r><![CDATA[&a;]]></r>"),
        ReadingCase("junk before the root", "Warning: <b>x</b>\n<r/>", "\n<r/>"),
        ReadingCase("junk after the root", "<r/>junk<x>", "<r/>"),
        ReadingCase("a missing end tag", "<r><a><b>x</a></r>", "<r><a><b>x</b></a></r>"),
        ReadingCase("a stray end tag", "<r>x</a>y</r>", "<r>xy</r>"),
        ReadingCase("no quotes", "<r><a b=c d/></r>", #"<r><a b="c" d="d"/></r>"#),
        ReadingCase("& in an attribute", "<r><a b='1&2&amp;3'/></r>", #"<r><a b="1&#38;2&#38;3"/></r>"#),
        ReadingCase("an attribute twice", "<r><a b='1' b='2'/></r>", #"<r><a b="1"/></r>"#),
        ReadingCase(
            "CDATA without end", "<r><a><![CDATA[x & \u{1}y</A>z<![CDATA[u</b></r>",
            "<r><a><![CDATA[x & y]]></a>z<![CDATA[u</b>]]></r>"),
        ReadingCase(
            "end tags in CDATA", "<r><a><![CDATA[x</a></r>]]>y</a></r>",
            "<r><a><![CDATA[x</a></r>y]]></a></r>"),
        ReadingCase("a comment without end", "<r><!--x<a/>--<!-- y</r>", "<r>x<a/>-- y</r>"),
        ReadingCase("a comment without end before the root", "<!-- x\n<r><a/></r>", "\n<r><a/></r>"),
        ReadingCase("a document cut in a comment", "<r><a>x</a><!-- <a>y</a>", "<r><a>x</a></r>"),
        ReadingCase(
            "a line break in an attribute", "<r><a href='b\n\t c' d='e\n\tf'/></r>",
            "<r><a href=\"b c\" d=\"e  f\"\n\n/></r>"),
        ReadingCase("lines are kept", "<r><!--\n\n--><a\nb=1\n>x</a></r>", "<r>\n\n<a b=\"1\"\n\n>x</a></r>"),
    ])
    func `a fault is mended and nothing is lost`(_ test: ReadingCase) {
        #expect(clean(test.text) == test.expected[0])
    }

    /// One byte at a time, every split in two, and many random splits.
    @Test(arguments: [
        "\u{FEFF}<?xml version='1.0'?>\n<!-- a --><!DOCTYPE r [<!ENTITY a 'b'>]><r>x</r>y",
        "<r>a & b &amp; c &eacute;&what;&#146;&#10;&#xFFFF;&abcdefghijklmnopqrstuvwxyzabcdefghijk;</r>",
        "<r>1 < 2 <a b=c d='&quot;&x'>]]>&#93;]></a></b><![CDATA[x]]]>]]]]>&amp;<![CDATA[]]></r>",
        "<r><a><b>日本\u{1}語 & \u{0B}<![CDATA[日\u{1}本]]></a><!-- <!-- -- --><?x ?></r>",
        "<r><a b='<' c=\"\n\"/><a b='1'\n<c></r>",
        "<r><a><![CDATA[x]]]<!-- --</a><b><![CDATA[]]</b></r></rr>",
        "<r><!-- - -- ---</r><a><!-- </a></r ></s>",
    ])
    func `any split gives the same output`(_ text: String) {
        let whole = clean(text)
        let count = text.utf8.count
        #expect(clean(text, splits: Array(0..<count)) == whole)
        for split in 0..<count {
            #expect(clean(text, splits: [split]) == whole, "split at \(split)")
        }
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<50 {
            let splits = (0..<4).map { _ in Int.random(in: 0...count, using: &numbers) }.sorted()
            #expect(clean(text, splits: splits) == whole, "split at \(splits)")
        }
    }

    @Test(arguments: ["<![CDATA[", "<!--"])
    func `what is longer than may be held is taken as closed, wherever the input is split`(_ start: String) {
        var limits = ParserLimits()
        limits.lookaheadByteCount = 50
        for length in 30...60 {
            let text = "<r><a>\(start)\(String(repeating: "x", count: length))</a><b/></r>"
            let whole = clean(text, limits: limits)
            #expect(whole.contains("<b/></r>") == (text.utf8.count - 6 <= 50) || start == "<![CDATA[")
            for split in 0..<text.utf8.count {
                #expect(clean(text, splits: [split], limits: limits) == whole)
            }
        }
    }

    @Test(arguments: ["<![CDATA[", "&amp;"])
    func `a long section comes whole, wherever the input is split`(_ start: String) {
        let content = String(repeating: "日本x", count: 9_000)
        let text = "<r>\(start)\(content)\(start == "&amp;" ? "" : "]]>")</r>"
        let whole = clean(text)
        #expect(whole == "<r><![CDATA[\(start == "&amp;" ? "&" : "")\(content)]]></r>")
        for size in [1_000, 16_385, 40_000] {
            let splits = stride(from: size, to: text.utf8.count, by: size)
            #expect(clean(text, splits: Array(splits)) == whole)
        }
    }
}
