import FoundationEssentials
import Testing

@testable import EpisodeStore

/// Looks at SQLite's plans: what they do not sort and do not scan stays fast with a million episodes.
@Suite struct EpisodeSelectTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let query: EpisodeQuery
        let index: String
    }

    private static func query(_ change: (inout EpisodeQuery) -> Void) -> EpisodeQuery {
        var query = EpisodeQuery(limit: 50)
        change(&query)
        return query
    }

    @Test(arguments: [
        Case(testDescription: "all", query: query { _ in }, index: "episode_by_date"),
        Case(
            testDescription: "oldest first", query: query { $0.order = .oldestFirst },
            index: "episode_by_date"),
        Case(testDescription: "since", query: query { $0.since = day(1) }, index: "episode_by_date"),
        Case(testDescription: "unplayed", query: query { $0.filter = .unplayed }, index: "episode_by_date"),
        Case(
            testDescription: "not downloaded", query: query { $0.filter = .state(.none) },
            index: "episode_by_date"),
        Case(testDescription: "new", query: query { $0.filter = .new }, index: "episode_new"),
        Case(testDescription: "played", query: query { $0.filter = .played }, index: "episode_played"),
        Case(testDescription: "of a feed", query: query { $0.feed = 1 }, index: "episode_by_feed"),
        Case(
            testDescription: "of a feed, unplayed",
            query: query {
                $0.feed = 1
                $0.filter = .unplayed
            }, index: "episode_by_feed"),
    ])
    func `a list is read in the order of an index, without sorting`(_ test: Case) throws {
        let steps = try plan(EpisodeSelect(test.query))
        #expect(steps.first?.contains("episode USING INDEX \(test.index)") == true, "\(steps)")
        #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
        #expect(steps.dropFirst().allSatisfy { $0.contains("USING INTEGER PRIMARY KEY") }, "\(steps)")
    }

    @Test func `downloads in a state are found by the state`() throws {
        let steps = try plan(EpisodeSelect(EpisodeQuery(filter: .state(.done))))
        #expect(steps.first?.contains("download USING INDEX download_by_state") == true, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
    }

    @Test(arguments: [
        (EpisodeQuery.Filter.kept, "INDEX episode_kept"),
        (.requested, "download USING INDEX download_by_state"),
    ])
    func `what no rule deletes is found by its mark, or among the finished files`(
        _ filter: EpisodeQuery.Filter, _ index: String
    ) throws {
        let steps = try plan(EpisodeSelect(EpisodeQuery(filter: filter, limit: 50)))
        #expect(steps.contains { $0.contains(index) }, "\(steps)")
        // Only these few are sorted; neither table is read as a whole.
        #expect(!steps.contains { $0.hasPrefix("SCAN") && !$0.contains("episode_kept") }, "\(steps)")
    }

    private func plan(_ select: EpisodeSelect) throws -> [String] {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        try Migrator(connection: connection, path: ":memory:").migrate()
        return try connection.rows("EXPLAIN QUERY PLAN " + select.sql, select.values) { row in
            let _: Int = row.next()
            let _: Int = row.next()
            let _: Int = row.next()
            return row.next()
        }
    }
}
