import FoundationEssentials
import Testing

@testable import EpisodeStore

/// Downloads that begin and end at the same time share transactions.
@Suite(.timeLimit(.minutes(5))) struct SharedStepsTests {
    private let count = 40

    /// A library with so many queued downloads of one title.
    private func library() async throws -> (Library, [EpisodeID]) {
        let (library, feed) = try await libraryWithFeed()
        let items = (1...count).map { number in
            var item = item(number)
            item.title = "Episode"
            return item
        }
        _ = try await library.recordRefresh(of: feed, document(items), now: day(6))
        let ids = try await library.episodes(EpisodeQuery()).map(\.id)
        _ = try await library.enqueue(ids, origin: .policy, now: day(7))
        return (library, ids)
    }

    private func begin(_ ids: [EpisodeID], in library: Library) async -> [EpisodeID: Result<
        String?, StoreError
    >] {
        await withTaskGroup(of: (EpisodeID, Result<String?, StoreError>).self) { group in
            for id in ids {
                group.addTask {
                    do throws(StoreError) {
                        let stem = try await library.begin(
                            id, owner: 42, folder: "Show", preferredStem: "Episode", now: day(8))
                        return (id, .success(stem))
                    } catch {
                        return (id, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test func `those that begin at once each get a name of their own, and are active`() async throws {
        let (library, ids) = try await library()
        try await library.cancel(ids[3], reason: "not wanted", now: day(7))
        let unknown = EpisodeID(rawValue: 7777)
        let begun = await begin(ids + [unknown], in: library)
        #expect(begun[unknown] == .failure(.unknownIdentifier(7777)), "and takes none of the others along")
        #expect(begun[ids[3]] == .success(nil), "it was taken out of the queue")
        let names = try ids.filter { $0 != ids[3] }.map { try #require(try begun[$0]?.get()) }
        #expect(Set(names).count == count - 1)
        #expect(names.contains("Episode"))
        let active = try await library.downloadsStatus().active
        #expect(active.count == count - 1)
        #expect(active.allSatisfy { $0.owner == 42 && begun[$0.id] == .success($0.fileStem) })
    }

    @Test func `those that end at once are each recorded, but what was cancelled meanwhile`() async throws {
        let (library, ids) = try await library()
        _ = await begin(ids, in: library)
        try await library.cancel(ids[5], reason: "not wanted", now: day(9))
        let recorded = try await withThrowingTaskGroup(of: (EpisodeID, Bool).self) { group in
            for id in ids {
                group.addTask {
                    let result = DownloadResult(path: "Show/\(id).mp3", byteCount: 9, isVerified: true)
                    return (id, try await library.finish(id, result, now: day(9)))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(recorded.filter { !$0.value }.map(\.key) == [ids[5]])
        let files = try await library.storage()
        #expect(Set(files.map(\.path)) == Set(ids.filter { $0 != ids[5] }.map { "Show/\($0).mp3" }))
        #expect(
            try await library.journal(of: ids[0]).map(\.event) == [
                .state(from: .none, to: .queued), .state(from: .queued, to: .active),
                .state(from: .active, to: .done),
            ])
    }
}
