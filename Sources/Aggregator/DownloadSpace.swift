import Downloader
import EpisodeStore
import Synchronization

/// Keeps the downloads of one run within the storage limit, and the reserve of each file system free.
///
/// The partial files grow in the cache, and the finished ones go into the library: where these are two file systems,
/// a file needs room on both.
final class DownloadSpace: Sendable {
    private struct Claim {
        /// Bytes still to be written into the cache.
        var rest: Int64
        var size: Int64
    }

    private let library: String
    private let cache: String
    private let limit: Int64?
    private let reserve: Int64
    private let measure: @Sendable (String) -> FileSystemSpace?
    private let claims = Mutex<[EpisodeID: Claim]>([:])

    /// - Parameter measure: Asks the file system of a path.
    init(
        library: String, cache: String, limit: Int64?, reserve: Int64,
        measure: @escaping @Sendable (String) -> FileSystemSpace? = { fileSystemSpace(at: $0) }
    ) {
        self.library = library
        self.cache = cache
        self.limit = limit
        self.reserve = reserve
        self.measure = measure
    }

    var hasLimit: Bool { limit != nil }

    /// What the storage limit leaves to one file beside all that runs; nil without a limit.
    func room(for id: EpisodeID, used: Int64) -> Int64? {
        guard let limit else { return nil }
        let others = claims.withLock { claims in byteSum(claims.filter { $0.key != id }.values.map(\.size)) }
        return max(limit - byteSum([used, others]), 0)
    }

    /// Claims the room for a file, instead of what it claimed before; returns why there is none, or nil.
    ///
    /// - Parameter used: Bytes of all finished files.
    func admit(_ id: EpisodeID, expected: ExpectedSize, alreadyOnDisk: @autoclosure () -> Int64, used: Int64)
        -> String?
    {
        let cacheSpace = measure(cache)
        let librarySpace = measure(library)
        // After the free space was measured: bytes that a running transfer writes in between make room, and take none.
        let alreadyOnDisk = alreadyOnDisk()
        let expected = plausible(expected, total: cacheSpace?.total)
        return claims.withLock { claims in
            claims[id] = nil
            let rests = byteSum(claims.values.map(\.rest))
            let sizes = byteSum(claims.values.map(\.size))
            let budget = StorageBudget(
                limit: limit, used: byteSum([used, sizes]), free: free(cacheSpace, claimed: rests),
                reserve: reserve)
            let first = decideAdmission(expected: expected, alreadyOnDisk: alreadyOnDisk, budget: budget)
            if let reason = words(first, where: "with the partial downloads (\(cache))") { return reason }
            if let librarySpace, librarySpace.device != cacheSpace?.device {
                let budget = StorageBudget(
                    used: 0, free: free(librarySpace, claimed: sizes), reserve: reserve)
                let second = decideAdmission(expected: expected, alreadyOnDisk: 0, budget: budget)
                if let reason = words(second, where: "with the library (\(library))") { return reason }
            }
            let size = max(expected.byteCount ?? 0, 0)
            claims[id] = Claim(rest: max(size - alreadyOnDisk, 0), size: size)
            return nil
        }
    }

    /// Notes that a download runs no more.
    func release(_ id: EpisodeID) {
        claims.withLock { $0[id] = nil }
    }

    /// Why running downloads have to stop: somebody took the space that is to stay free; nil while nobody did.
    func shortage() -> String? {
        guard let free = measure(cache)?.free, free < reserve else { return nil }
        return words(.noSpace(missing: reserve - free), where: "with the partial downloads (\(cache))")
    }

    /// A feed that claims more than the disk could ever hold says nothing about the file.
    private func plausible(_ expected: ExpectedSize, total: Int64?) -> ExpectedSize {
        if case .estimated(let count) = expected, let total, count > total { return .unknown }
        return expected
    }

    private func free(_ space: FileSystemSpace?, claimed: Int64) -> Int64 {
        guard let space else { return .max }
        return max(space.free - claimed, 0)
    }

    private func words(_ admission: Admission, where place: String) -> String? {
        switch admission {
        case .accepted: nil
        case .overLimit(let missing):
            "no room within the storage limit: \(shown(missing)) too much"
        case .noSpace(let missing):
            "no room on the disk \(place): \(shown(missing)) more must be free, for \(shown(reserve)) stay so"
        }
    }
}

/// Bytes as megabytes or gigabytes, rounded up, so that what is missing never reads as nothing.
private func shown(_ byteCount: Int64) -> String {
    let megabytes = byteCount / 1_000_000 + (byteCount % 1_000_000 == 0 ? 0 : 1)
    if megabytes < 1000 { return "\(megabytes) MB" }
    let tenths = megabytes / 100 + (megabytes % 100 == 0 ? 0 : 1)
    return "\(tenths / 10).\(tenths % 10) GB"
}
