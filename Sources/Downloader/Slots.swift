/// A transfer that waits for its turn.
public struct QueuedTransfer: Sendable, Equatable {
    public var key: String
    /// Transfers of one host share `TransferLimits.perHost`.
    public var host: String
    /// Whether the user asked for it, not a policy.
    public var isUserRequest: Bool
    /// The show, within which a serial's order holds.
    public var show: String
    /// Season and episode of a serial; nil for a show that is heard newest first.
    public var serialNumber: SerialNumber?
    /// Seconds since 1970; nil sorts as the oldest.
    public var published: Int64?

    public init(
        key: String, host: String, isUserRequest: Bool = false, show: String = "",
        serialNumber: SerialNumber? = nil, published: Int64? = nil
    ) {
        self.key = key
        self.host = host
        self.isUserRequest = isUserRequest
        self.show = show
        self.serialNumber = serialNumber
        self.published = published
    }
}

/// The place of an episode in a serial.
public struct SerialNumber: Sendable, Comparable {
    public var season: Int
    public var episode: Int

    public init(season: Int, episode: Int) {
        self.season = season
        self.episode = episode
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.season, left.episode) < (right.season, right.episode)
    }
}

/// A transfer under way.
public struct RunningTransfer: Sendable, Equatable {
    public var key: String
    public var host: String

    public init(key: String, host: String) {
        self.key = key
        self.host = host
    }
}

public struct TransferLimits: Sendable, Equatable {
    public var total: Int
    public var perHost: Int

    public init(total: Int = 3, perHost: Int = 2) {
        self.total = total
        self.perHost = perHost
    }
}

/// Chooses the transfers to start now, in order.
///
/// The user's own requests come first, in the order of `queued`; then the others, newest first, where the
/// episodes of a serial share the places of their show in season and episode order.
public func chooseTransfers(
    queued: [QueuedTransfer], running: [RunningTransfer], limits: TransferLimits
) -> [String] {
    var free = limits.total - running.count
    guard free > 0 else { return [] }
    var perHost = Dictionary(running.map { ($0.host, 1) }, uniquingKeysWith: +)
    let busy = Set(running.map(\.key))
    var chosen: [String] = []
    for transfer in inOrder(queued) where !busy.contains(transfer.key) {
        guard free > 0 else { break }
        guard perHost[transfer.host, default: 0] < limits.perHost else { continue }
        perHost[transfer.host, default: 0] += 1
        free -= 1
        chosen.append(transfer.key)
    }
    return chosen
}

private func inOrder(_ queued: [QueuedTransfer]) -> [QueuedTransfer] {
    var rest = queued.filter { !$0.isUserRequest }
        .enumerated()
        .sorted { left, right in
            let (leftTime, rightTime) = (left.element.published ?? .min, right.element.published ?? .min)
            return leftTime == rightTime ? left.offset < right.offset : leftTime > rightTime
        }
        .map(\.element)
    let places = Dictionary(grouping: rest.indices.filter { rest[$0].serialNumber != nil }) { rest[$0].show }
    for indices in places.values {
        let serial = indices.map { rest[$0] }.sorted { left, right in
            guard let leftNumber = left.serialNumber, let rightNumber = right.serialNumber else {
                return false
            }
            return leftNumber < rightNumber
        }
        for (index, transfer) in zip(indices, serial) { rest[index] = transfer }
    }
    return queued.filter(\.isUserRequest) + rest
}
