import FoundationEssentials
import Testing

@testable import EpisodeStore

@Suite struct JSONColumnTests {
    @Test func `durations are seconds and dates Unix seconds`() throws {
        let chapter = Chapter(start: .milliseconds(61_500), title: "Departure")
        #expect(jsonColumn([chapter]) == #"[{"start":61.5,"title":"Departure"}]"#)
        let live = IncomingLiveItem(title: "Tonight", start: Date(timeIntervalSince1970: 100))
        #expect(jsonColumn(live)?.contains(#""start":100,"#) == true)
    }

    @Test func `what was written is read again`() throws {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        func read<Value: Codable & Equatable>(_ value: Value) throws -> Value? {
            try connection.first("SELECT ?1", jsonColumn(value)) { row throws(StoreError) -> Value? in
                row.nextJSON()
            } ?? nil
        }
        let segment = TranscriptSegment(
            speaker: "Ann", text: "All aboard", start: .milliseconds(1), end: .seconds(99_999))
        #expect(try read(segment) == segment)
        var settings = FeedSettings()
        settings.minDuration = .seconds(600)
        settings.types = ["full", "bonus"]
        #expect(try read(settings) == settings)
        let live = IncomingLiveItem(title: "Tonight", start: Date(timeIntervalSince1970: 100))
        #expect(try read(live) == live)
    }

    @Test func `an empty list is nothing, and broken JSON reads as nothing`() throws {
        #expect(jsonColumn(list: [Chapter]()) == nil)
        let connection = try Connection(path: ":memory:", access: .readWrite)
        let broken = try connection.first("SELECT '[{'") { row throws(StoreError) -> [Chapter]? in
            row.nextJSON()
        }
        #expect(broken == .some(nil))
    }
}
