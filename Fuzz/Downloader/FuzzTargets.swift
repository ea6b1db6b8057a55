import FoundationEssentials

/// What libFuzzer throws bytes at, by the names that `scripts/fuzz` takes.
///
/// Each stops the program where a rule of docs/downloads.md is broken that holds for all input.
let targets: [String: @Sendable (UnsafeRawBufferPointer) -> Void] = [
    "head": fuzzHead,
    "record": fuzzRecord,
    "name": fuzzName,
]

private let url = "https://host.example/a.mp3"

/// The header lines of an answer to a request for the bytes from 1,000 on.
private func fuzzHead(_ input: UnsafeRawBufferPointer) {
    var record = ResumeRecord(originalURL: url)
    record.etag = "\"e\""
    record.totalByteCount = 2_000
    let plan = planRequest(url: url, partialByteCount: 1_000, record: record)
    precondition(plan.firstByte == 1_000)
    var assembler = HeadAssembler()
    for line in String(decoding: input, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
    {
        guard let head = try? assembler.add(line: String(line), effectiveURL: { url }) else { continue }
        let decision = decideResume(plan: plan, record: record, head: head)
        if decision == .append {
            precondition(head.status == 206, "appended to what a \(head.status) brought")
            let range = head.contentRange.flatMap { ContentRange($0) }
            precondition(range?.bytes?.lowerBound == 1_000, "appended from another byte")
        }
        let next = ResumeRecord(originalURL: url, head: head)
        precondition((next.totalByteCount ?? 0) >= 0)
    }
}

/// A resume record as it may be found in the cache folder.
private func fuzzRecord(_ input: UnsafeRawBufferPointer) {
    guard let record = try? JSONDecoder().decode(ResumeRecord.self, from: Data(input)) else { return }
    for partial in [0, 1, 1_000, Int64.max] {
        let trusted = record.trustedByteCount(of: partial, bootID: nil)
        precondition(trusted <= partial)
        let plan = planRequest(url: record.originalURL, partialByteCount: trusted, record: record)
        if case .range(let first, _) = plan { precondition(first > 0 && first == trusted) }
    }
}

/// A title, and the first bytes of a file.
private func fuzzName(_ input: UnsafeRawBufferPointer) {
    let stem = cleanFileStem(String(decoding: input, as: UTF8.self))
    precondition(stem.utf8.count <= 255 && !stem.utf8.contains(UInt8(ascii: "/")) && !stem.utf8.contains(0))
    precondition(stem != "." && stem != ".." && !stem.hasPrefix(".") && !stem.hasPrefix("-"))
    precondition(cleanFileStem(stem) == stem, "a clean name is cleaned again")
    _ = sniffContent(input)
}
