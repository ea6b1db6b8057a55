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

/// The transfers that wait for their turn, sorted once.
///
/// The user's own requests come first, in the order in which they are given; then the others, newest first, where the
/// episodes of a serial share the places of their show in season and episode order. Taking the next costs as many steps
/// as there are hosts, however many transfers wait.
public struct TransferLine: Sendable {
    private struct Place {
        let rank: Int
        let key: String
    }

    /// What waits for each host, in order.
    private var waiting: [String: ArraySlice<Place>] = [:]

    public init(_ queued: [QueuedTransfer]) {
        for (rank, transfer) in inOrder(queued).enumerated() {
            waiting[transfer.host, default: []].append(Place(rank: rank, key: transfer.key))
        }
    }

    /// Takes the first whose host has a free slot; nil where none may start.
    ///
    /// - Parameter running: What is under way, by host.
    public mutating func next(running: [String: Int], limits: TransferLimits) -> String? {
        guard running.values.reduce(0, +) < limits.total else { return nil }
        let open = waiting.filter { running[$0.key, default: 0] < limits.perHost }
        let first = open.min { left, right in
            (left.value.first?.rank ?? .max) < (right.value.first?.rank ?? .max)
        }
        guard let host = first?.key, let place = waiting[host]?.popFirst() else { return nil }
        if waiting[host]?.isEmpty == true { waiting[host] = nil }
        return place.key
    }
}

/// Chooses the transfers to start now, in order.
public func chooseTransfers(
    queued: [QueuedTransfer], running: [RunningTransfer], limits: TransferLimits
) -> [String] {
    let busy = Set(running.map(\.key))
    let hosts = Dictionary(queued.map { ($0.key, $0.host) }, uniquingKeysWith: { first, _ in first })
    var line = TransferLine(queued.filter { !busy.contains($0.key) })
    var perHost = Dictionary(running.map { ($0.host, 1) }, uniquingKeysWith: +)
    var chosen: [String] = []
    while let key = line.next(running: perHost, limits: limits) {
        perHost[hosts[key] ?? "", default: 0] += 1
        chosen.append(key)
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
