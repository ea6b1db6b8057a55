import Testing

@testable import EpisodeStore

@Suite struct SlugTests {
    @Test(arguments: [
        ("Night Trains", "night-trains"),
        ("  What's -- new? ", "what-s-new"),
        ("Über Züge", "über-züge"),
        ("夜行列車", "夜行列車"),
        ("!!!", "feed"),
        ("", "feed"),
        ("1001", "feed-1001"),
        (
            "A title that goes on and on until nobody wants to type it",
            "a-title-that-goes-on-and-on-until-nobody"
        ),
    ])
    func `a slug is the title as one would type it`(title: String, slug: String) {
        #expect(makeSlug(from: title) { _ in false } == slug)
    }

    @Test func `a single word without end is cut`() {
        #expect(makeSlug(from: String(repeating: "a", count: 5000)) { _ in false }.count == 40)
    }

    @Test func `a taken slug gets a number`() {
        #expect(makeSlug(from: "News") { ["news", "news-2"].contains($0) } == "news-3")
    }
}
