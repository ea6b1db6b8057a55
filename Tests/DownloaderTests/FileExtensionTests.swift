import Downloader
import Testing

@Suite
struct FileExtensionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var type: String?
        var url = "https://pod.example/x"
        var container: MediaContainer?
        var declared: String?
        let expected: String
    }

    @Test(arguments: [
        Case(testDescription: "audio/mpeg is mp3, never mpeg", type: "audio/mpeg", expected: "mp3"),
        Case(
            testDescription: "the type goes before the address", type: "audio/mp4",
            url: "https://pod.example/x.mp3",
            expected: "m4a"),
        Case(testDescription: "parameters of the type", type: "Audio/OGG; codecs=opus", expected: "ogg"),
        Case(testDescription: "x-m4a", type: "audio/x-m4a", expected: "m4a"),
        Case(
            testDescription: "a query after the extension", url: "https://pod.example/x.mp3?dest-id=7",
            expected: "mp3"),
        Case(testDescription: "upper case", url: "https://pod.example/x.MP3", expected: "mp3"),
        Case(
            testDescription: "a slash after the extension", url: "https://pod.example/x.m4a/", expected: "m4a"
        ),
        Case(
            testDescription: "octet-stream falls through to the address", type: "application/octet-stream",
            url: "https://pod.example/x.opus", expected: "opus"),
        Case(
            testDescription: "octet-stream and no extension: the bytes", type: "binary/octet-stream",
            container: .flac, expected: "flac"),
        Case(testDescription: "text/plain: the bytes", type: "text/plain", container: .ogg, expected: "ogg"),
        Case(
            testDescription: "a program's extension says nothing", url: "https://pod.example/play.php",
            container: .m4a, expected: "m4a"),
        Case(
            testDescription: "an extension in the query says nothing", url: "https://pod.example/x?f=a.ogg",
            expected: "mp3"),
        Case(testDescription: "a dot in the host says nothing", url: "https://pod.mp4", expected: "mp3"),
        Case(testDescription: "the feed's type last", declared: "audio/aac", expected: "aac"),
        Case(testDescription: "nothing known", expected: "mp3"),
    ])
    func `content type, address, bytes, feed, mp3`(_ test: Case) {
        let chosen = chooseFileExtension(
            contentType: test.type, url: test.url, container: test.container, declaredType: test.declared)
        #expect(chosen == test.expected)
    }
}
