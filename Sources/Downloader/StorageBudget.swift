/// The space that downloads may take.
public struct StorageBudget: Sendable, Equatable {
    /// The most bytes of finished files; nil for no limit.
    public var limit: Int64?
    /// Bytes of finished files and of what the running transfers still bring.
    public var used: Int64
    /// Bytes free on the file system.
    public var free: Int64
    /// Bytes that stay free, whatever happens.
    public var reserve: Int64

    public init(limit: Int64? = nil, used: Int64, free: Int64, reserve: Int64 = 1 << 30) {
        self.limit = limit
        self.used = used
        self.free = free
        self.reserve = reserve
    }
}

/// Whether a transfer may begin.
public enum Admission: Sendable, Equatable {
    case accepted
    case overLimit(missing: Int64)
    case noSpace(missing: Int64)
}

/// Decides whether the rest of a file fits; an unknown size needs only room for the reserve.
///
/// - Parameter alreadyOnDisk: Bytes of the partial file, which take no new space.
public func decideAdmission(
    expected: ExpectedSize, alreadyOnDisk: Int64, budget: StorageBudget
) -> Admission {
    let size = max(expected.byteCount ?? 0, 0)
    if let limit = budget.limit {
        let (sum, overflows) = budget.used.addingReportingOverflow(size)
        if overflows { return .overLimit(missing: .max) }
        if sum > limit { return .overLimit(missing: sum - limit) }
    }
    let rest = max(size - alreadyOnDisk, 0)
    let (needed, overflows) = rest.addingReportingOverflow(budget.reserve)
    let missing = overflows ? .max : needed - budget.free
    return missing > 0 ? .noSpace(missing: missing) : .accepted
}
