import Downloader
import EpisodeStore
import Testing

@testable import Aggregator

@Suite
struct DownloadSpaceTests {
    private func space(
        library: FileSystemSpace?, cache: FileSystemSpace?, limit: Int64? = nil, reserve: Int64 = 100
    ) -> DownloadSpace {
        DownloadSpace(library: "/library", cache: "/cache", limit: limit, reserve: reserve) { path in
            path == "/library" ? library : cache
        }
    }

    private func disk(_ device: UInt64, free: Int64, total: Int64 = 10_000) -> FileSystemSpace {
        FileSystemSpace(device: device, free: free, total: total)
    }

    private func fits(
        _ space: DownloadSpace, _ id: EpisodeID, _ expected: ExpectedSize, onDisk: Int64 = 0,
        used: Int64 = 0
    ) -> Bool {
        space.admit(id, expected: expected, alreadyOnDisk: onDisk, used: used) == nil
    }

    @Test func `on one disk a file takes its room once`() {
        let space = space(library: disk(1, free: 300), cache: disk(1, free: 300))
        #expect(fits(space, 1, .exact(200)))
        #expect(!fits(space, 1, .exact(201)))
        #expect(fits(space, 1, .exact(260), onDisk: 60))
    }

    @Test func `on two disks a file needs room on both`() {
        #expect(!fits(space(library: disk(1, free: 299), cache: disk(2, free: 5000)), 1, .exact(200)))
        #expect(!fits(space(library: disk(1, free: 5000), cache: disk(2, free: 299)), 1, .exact(200)))
        #expect(fits(space(library: disk(1, free: 300), cache: disk(2, free: 300)), 1, .exact(200)))
    }

    @Test func `what runs has claimed its room until it ends`() {
        let space = space(library: disk(1, free: 400), cache: disk(1, free: 400))
        #expect(fits(space, 1, .exact(200)))
        #expect(!fits(space, 2, .exact(200)))
        #expect(fits(space, 2, .exact(100)))
        // Asked again once its size is known, it does not stand in its own way.
        #expect(fits(space, 1, .exact(200)))
        space.release(1)
        #expect(fits(space, 3, .exact(200)))
    }

    @Test func `the limit counts finished and running files`() {
        let space = space(library: disk(1, free: 9000), cache: disk(1, free: 9000), limit: 1000)
        #expect(fits(space, 1, .exact(300), used: 500))
        #expect(!fits(space, 2, .exact(300), used: 500))
        #expect(fits(space, 2, .exact(200), used: 500))
    }

    @Test func `a feed's claim beyond the whole disk is no size`() {
        let space = space(library: disk(1, free: 5000), cache: disk(1, free: 5000))
        #expect(fits(space, 1, .estimated(.max)))
        #expect(!fits(space, 2, .estimated(9000)))
        #expect(!fits(space, 3, .exact(.max)))
    }

    @Test func `a file system that does not say is no hindrance`() {
        #expect(fits(space(library: nil, cache: nil), 1, .exact(1 << 50)))
        #expect(space(library: nil, cache: nil).shortage() == nil)
    }

    @Test func `the reserve taken by somebody else stops what runs`() {
        #expect(space(library: disk(1, free: 100), cache: disk(1, free: 100)).shortage() == nil)
        #expect(space(library: disk(1, free: 99), cache: disk(1, free: 99)).shortage() != nil)
    }
}
