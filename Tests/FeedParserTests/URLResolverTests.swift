import Testing

@testable import FeedParser

@Suite struct URLResolverTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reference: String
        let expected: String?

        init(_ name: String, _ reference: String, _ expected: String?) {
            testDescription = name
            self.reference = reference
            self.expected = expected
        }
    }

    @Test(arguments: [
        Case("an absolute address", "https://other.test/a?b=c#d", "https://other.test/a?b=c#d"),
        Case("a relative path", "media/1.mp3", "https://host.test/feeds/media/1.mp3"),
        Case("an absolute path", "/media/1.mp3", "https://host.test/media/1.mp3"),
        Case("a step up", "../media/./1.mp3", "https://host.test/media/1.mp3"),
        Case("more steps up than there are", "../../../1.mp3", "https://host.test/1.mp3"),
        Case("a last step up", "..", "https://host.test/"),
        Case("only a query", "?page=2", "https://host.test/feeds/show.xml?page=2"),
        Case("only a fragment", "#end", "https://host.test/feeds/show.xml?old=1#end"),
        Case("without a scheme", "//cdn.test/x.mp3", "https://cdn.test/x.mp3"),
        Case("blanks around and line breaks within", " \n /a\nb.mp3 ", "https://host.test/ab.mp3"),
        Case("a blank within", "a b.mp3", "https://host.test/feeds/a%20b.mp3"),
        Case("an umlaut", "/ü.mp3", "https://host.test/%C3%BC.mp3"),
        Case("encoded already", "/a%3Ab%20c.mp3", "https://host.test/a%3Ab%20c.mp3"),
        Case("a colon in a query", "a?u=http://x.test/", "https://host.test/feeds/a?u=http://x.test/"),
        Case("an internationalised host", "http://Bücher.test/ä", "http://xn--bcher-kva.test/%C3%A4"),
        Case("such a host with a port", "http://münchen.test:8080/", "http://xn--mnchen-3ya.test:8080/"),
        Case("a blank and a bracket in a host", "//e x.test<b/a", "https://e%20x.test%3Cb/a"),
        Case("a host in Japanese", "http://ひとり.test/", "http://xn--o9jta7e.test/"),
        Case("another scheme", "mailto:someone@host.test", "mailto:someone@host.test"),
        Case("nothing", " ", nil),
    ])
    func `a reference is resolved against the document's address`(_ test: Case) {
        let resolver = URLResolver(base: "https://host.test/feeds/show.xml?old=1")
        #expect(resolver.resolve(test.reference) == test.expected)
    }

    @Test func `xml:base stands on the base before it`() {
        let resolver = URLResolver(base: "http://host.test/a/feed.xml").rebased(to: "b/").rebased(to: "c/d")
        #expect(resolver.resolve("e.mp3") == "http://host.test/a/b/c/e.mp3")
    }

    @Test func `without a base a relative reference stays relative`() {
        #expect(URLResolver(base: nil).resolve("media/1.mp3") == "media/1.mp3")
        #expect(URLResolver(base: "urn:x:y").resolve("media/1.mp3") == "media/1.mp3")
    }

    @Test func `what a saved feed names without a scheme is on the web`() {
        let resolver = URLResolver(base: "file:///home/x/feed.xml")
        #expect(resolver.resolve("//cdn.example/a.mp3") == "https://cdn.example/a.mp3")
    }

    @Test func `a file's address is a base too`() {
        let resolver = URLResolver(base: "file:///home/me/feeds/show.xml")
        #expect(resolver.resolve("media/a b.mp3") == "file:///home/me/feeds/media/a%20b.mp3")
    }
}
