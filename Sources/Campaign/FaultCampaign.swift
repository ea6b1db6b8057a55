import Foundation
import TestServer

/// One way for a server to misbehave, and what has to come of it.
private struct Misbehaviour {
    enum Tear: CaseIterable { case none, atOnce, afterOneByte, halfway, beforeTheLast }
    enum Validator: CaseIterable { case strong, weak, none, date }
    enum Change: CaseIterable { case none, withValidator }

    var tear: Tear
    /// Whether every reply is torn, or only the first.
    var isAlwaysTorn: Bool
    var framing: Reply.Framing
    var validator: Validator
    var ranges: Reply.Ranges
    var change: Change

    private static let framings: [Reply.Framing] = [.contentLength, .chunked, .untilClose]
    private static let rangeAnswers: [Reply.Ranges] = [
        .honoured, .ignored, .refused(total: nil), .shifted(by: 1), .shifted(by: -1), .total(1),
        .unknownTotal,
        .withoutContentRange, .multipart,
    ]

    /// The whole product: 5 × 2 × 3 × 4 × 9 × 2.
    static let all: [Misbehaviour] = Tear.allCases.flatMap { tear in
        [false, true].flatMap { isAlwaysTorn in
            framings.flatMap { framing in
                Validator.allCases.flatMap { validator in
                    rangeAnswers.flatMap { ranges in
                        Change.allCases.map { change in
                            Misbehaviour(
                                tear: tear, isAlwaysTorn: isAlwaysTorn, framing: framing,
                                validator: validator,
                                ranges: ranges, change: change)
                        }
                    }
                }
            }
        }
    }

    enum End: Equatable { case whole, cutButUnverified, notDone }

    /// Without a length the end of a connection is the end of the body, and nobody can tell a tear from it.
    var end: End {
        if tear == .none { return .whole }
        if framing == .untilClose {
            return tear == .atOnce ? (isAlwaysTorn ? .notDone : .whole) : .cutButUnverified
        }
        // Each attempt brings at least a byte more where ranges are honoured; that is given up too.
        return isAlwaysTorn ? .notDone : .whole
    }

    func tearOffset(_ size: Int64) -> Int64? {
        switch tear {
        case .none: nil
        case .atOnce: 0
        case .afterOneByte: 1
        case .halfway: size / 2
        case .beforeTheLast: size - 1
        }
    }

    /// The reply to the request of this number.
    func reply(_ number: Int, size: Int64) -> Reply {
        let isChanged = change == .withValidator && number > 1
        var reply = Reply.pattern(isChanged ? size + 1 : size)
        switch validator {
        case .strong: reply.etag = isChanged ? "\"new\"" : "\"old\""
        case .weak: reply.etag = isChanged ? "W/\"new\"" : "W/\"old\""
        case .date:
            reply.lastModified =
                isChanged ? "Tue, 02 Jan 2024 10:00:00 GMT" : "Mon, 01 Jan 2024 10:00:00 GMT"
            reply.headers.append(("Date", "Fri, 01 Mar 2024 10:00:00 GMT"))
        case .none: break
        }
        reply.framing = framing
        reply.ranges = ranges
        if isAlwaysTorn || number == 1 { reply.tearAfter = tearOffset(size) }
        return reply
    }
}

/// The product of server behaviours, each with the end that it must have; every run is a choice of 30.
func faultCampaign(_ options: Options) throws -> Report {
    var report = Report()
    var choices = SeededNumbers(seed: options.seed)
    var rest = Misbehaviour.all.shuffled(using: &choices)
    let wanted = min(options.rounds ?? rest.count, rest.count)
    rest.removeLast(rest.count - wanted)
    var tried = 0
    while !rest.isEmpty {
        let some = Array(rest.suffix(30))
        rest.removeLast(some.count)
        try run(some, options, &report, &choices)
        tried += some.count
    }
    report.done = "\(tried) of \(Misbehaviour.all.count) misbehaviours"
    return report
}

private func run(
    _ some: [Misbehaviour], _ options: Options, _ report: inout Report, _ choices: inout SeededNumbers
) throws {
    let show = Show(sizes: some.map { _ in Int64.random(in: 40_000...400_000, using: &choices) })
    let server = try DummyServer()
    server.serve("/feed.xml", show.feed(server))
    for (episode, misbehaviour) in zip(show.episodes, some) {
        server.serve(episode.path) { _, number in misbehaviour.reply(number, size: episode.size) }
    }
    let home = try Home(podget: options.podget)
    try home.write("{ transfers: 32, transfersPerHost: 32 }", to: "config.json5")
    try home.run("subscribe", "--latest", "30", server.url("/feed.xml"))
    // A run that waits for a server that never mends is ended; what it has is kept. On a slow machine more are needed.
    let wholes = Set(zip(show.episodes, some).filter { $1.end == .whole }.map(\.0.title))
    var rows: [Home.Episode] = []
    for turn in 0..<12 {
        _ = try home.run("sync", signal: SIGINT, after: .seconds(8))
        rows = try home.episodes()
        let done = Set(rows.filter { $0.state == "done" }.map(\.title))
        if turn >= 2, wholes.isSubset(of: done) { break }
    }
    for (episode, misbehaviour) in zip(show.episodes, some) {
        guard let row = rows.first(where: { $0.title == episode.title }) else {
            report.faults.append("\(misbehaviour): not listed")
            continue
        }
        let file = row.state == "done" ? row.file : nil
        let sizes = misbehaviour.change == .none ? [episode.size] : [episode.size, episode.size + 1]
        let isWhole = file.map { file in
            sizes.contains { Pattern(byteCount: $0).firstDifference(fromFileAt: file) == nil }
        }
        switch misbehaviour.end {
        case .whole:
            report.expect(isWhole == true, "\(misbehaviour): \(row.state), whole: \(isWhole ?? false)")
        case .notDone: report.expect(isWhole != false, "\(misbehaviour): done, and not whole")
        case .cutButUnverified: break
        }
    }
}
