/// How the next request is asked.
enum RequestPlan: Equatable, Sendable {
    /// For the whole file; the reason says why bytes at hand are given up.
    case fromStart(RestartReason?)
    /// `Range: bytes=first-` with `If-Range`.
    case range(first: Int64, Validator)
    /// All bytes are at hand: nothing needs to be asked.
    case nothing

    var firstByte: Int64 {
        if case .range(let first, _) = self { first } else { 0 }
    }
}

/// Decides what to ask for, given the trusted bytes at hand and their record.
func planRequest(url: String, partialByteCount: Int64, record: ResumeRecord?) -> RequestPlan {
    guard partialByteCount > 0 else { return .fromStart(nil) }
    guard let record else { return .fromStart(.noRecord) }
    guard addressWithoutQuery(record.originalURL) == addressWithoutQuery(url) else {
        return .fromStart(.otherURL)
    }
    if let total = record.totalByteCount {
        if partialByteCount == total { return .nothing }
        if partialByteCount > total { return .fromStart(.fileChanged) }
    }
    guard let validator = record.validator else { return .fromStart(.noValidator) }
    return .range(first: partialByteCount, validator)
}

/// What a response means for the partial file.
enum ResumeDecision: Equatable, Sendable {
    /// The body goes on where the partial file ends.
    case append
    /// The body is the whole file: it replaces the partial.
    case replace(RestartReason?)
    /// The partial is worthless: ask again once, without a range.
    case startOver(RestartReason)
    /// The partial is the whole file.
    case complete
    /// No body of use; whether to try again is decided by `decideRetry`.
    case refuse
}

/// Decides what a response means for the partial file (the table in downloads.md).
func decideResume(plan: RequestPlan, record: ResumeRecord?, head: ResponseHead) -> ResumeDecision {
    switch head.status {
    case 206: decidePartialContent(plan: plan, record: record, head: head)
    case 200..<300: .replace(restartReason(plan: plan, record: record, head: head))
    case 416: decideRangeRefused(plan: plan, record: record, head: head)
    default: .refuse
    }
}

private func decidePartialContent(plan: RequestPlan, record: ResumeRecord?, head: ResponseHead)
    -> ResumeDecision
{
    let isMultipart = head.contentType?.lowercased().hasPrefix("multipart/byteranges") == true
    let sent = isMultipart ? nil : head.contentRange.flatMap { ContentRange($0) }
    guard case .range(let first, let validator) = plan else {
        // Nobody asked for a part; a part that is the whole is good enough.
        guard let bytes = sent?.bytes, bytes.lowerBound == 0, sent?.total == bytes.upperBound + 1 else {
            return .refuse
        }
        return .replace(restartReason(plan: plan, record: record, head: head))
    }
    guard let sent, sent.bytes?.lowerBound == first else { return .startOver(.rangeUnusable) }
    if let recorded = record?.totalByteCount, let total = sent.total, recorded != total {
        return .startOver(.fileChanged)
    }
    guard holds(validator, in: head) else { return .startOver(.fileChanged) }
    return .append
}

/// A validator missing from the answer is no contradiction: the server has compared it itself.
private func holds(_ validator: Validator, in head: ResponseHead) -> Bool {
    switch validator {
    case .etag(let value): head.etag == nil || head.etag == value
    case .lastModified(let value): head.lastModified == nil || head.lastModified == value
    }
}

private func decideRangeRefused(plan: RequestPlan, record: ResumeRecord?, head: ResponseHead)
    -> ResumeDecision
{
    guard case .range(let first, _) = plan else { return .refuse }
    let total = head.contentRange.flatMap { ContentRange($0) }?.total
    return total == first && total == record?.totalByteCount ? .complete : .startOver(.rangeRefused)
}

private func restartReason(plan: RequestPlan, record: ResumeRecord?, head: ResponseHead) -> RestartReason? {
    switch plan {
    case .fromStart(let reason): reason
    case .nothing: nil
    case .range(_, .etag(let value)): head.etag == value ? .rangeIgnored : .fileChanged
    case .range(_, .lastModified(let value)): head.lastModified == value ? .rangeIgnored : .fileChanged
    }
}
