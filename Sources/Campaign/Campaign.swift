import Foundation

/// Proves a promise by force: `campaign NAME [--rounds N] [--seconds N] [--seed N] --podget FILE`.
///
/// Each campaign prints what it did and every promise that was broken; the exit code is 1 if there was one. The same seed
/// makes the same choices.
@main
struct Campaign {
    private static let all: [String: @Sendable (Options) throws -> Report] = [
        "crash": crashCampaign, "faults": faultCampaign, "disk": diskCampaign, "hell": hellCampaign,
        "network": networkCampaign, "processes": processCampaign,
    ]

    static func main() {
        // A program that leaves early must not end the campaign.
        signal(SIGPIPE, SIG_IGN)
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            guard let campaign = all[options.name] else {
                throw Mistake("the campaigns are \(all.keys.sorted().joined(separator: ", "))")
            }
            let start = ContinuousClock.now
            let report = try campaign(options)
            let seconds = Int(start.duration(to: .now) / .seconds(1))
            print("\(options.name): \(report.done), seed \(options.seed), \(seconds) s")
            for fault in report.faults.prefix(20) { print("  BROKEN: \(fault)") }
            print(
                report.faults.isEmpty ? "  every promise held" : "  broken promises: \(report.faults.count)")
            exit(report.faults.isEmpty ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("campaign: \(error)\n".utf8))
            exit(2)
        }
    }
}

/// What a campaign did, and which promises were broken.
struct Report {
    var done = ""
    var faults: [String] = []

    mutating func expect(_ holds: Bool, _ fault: @autoclosure () -> String) {
        if !holds { faults.append(fault()) }
    }
}

/// A mistake in the command line.
struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

struct Options {
    var name = ""
    var podget = ""

    /// What `quota.c` was compiled to.
    var quota = ""
    var rounds: Int?
    var seconds: Int?
    var seed: UInt64 = 1

    init(_ words: [String]) throws {
        guard let name = words.first else { throw Mistake("which campaign?") }
        self.name = name
        var rest = words.dropFirst()
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Mistake("\(option) needs a value") }
            switch option {
            case "--podget": podget = value
            case "--quota": quota = value
            case "--rounds": rounds = try number(value)
            case "--seconds": seconds = try number(value)
            case "--seed": seed = UInt64(try number(value))
            default: throw Mistake("there is no option \(option)")
            }
        }
        guard FileManager.default.isExecutableFile(atPath: podget) else {
            throw Mistake("--podget needs the program to try")
        }
        guard FileManager.default.isReadableFile(atPath: quota) else {
            throw Mistake("--quota needs what quota.c was compiled to")
        }
    }
}

private func number(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 0 else { throw Mistake("'\(text)' is no number") }
    return number
}
