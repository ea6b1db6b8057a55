import Aggregator
import EpisodeStore

/// Looks whether the library is sound, and mends it: `podget doctor`.
struct DoctorCommand: Command {
    static let syntax = CommandSyntax(
        name: "doctor",
        group: .settings,
        summary: "Look whether the library is sound: its database, its files, its partial downloads",
        options: [
            OptionSyntax("repair", "Mend what is found"),
            OptionSyntax(
                "checksums", "Read every file that tags were written into, and compare it with its checksum"),
            OptionSyntax(
                "files-gone", "With --repair: mark all files as missing where the library has none of them"),
        ],
        details: """
            --repair sets a damaged database aside, brings back the newest daily backup, records files again that the
            backup does not know, marks files that are gone as missing, and removes partial downloads that nobody wants.
            Where the library folder holds none of its files, its disk is rather not mounted: nothing is marked then,
            unless --files-gone says so.
            It deletes no finished file and nothing of yours. What a backup does not know, it learns from the feeds:
            'podget refresh', and then 'podget doctor --repair' again, find the files of episodes that came after it.

            Exit code 1 where something is wrong and was not mended.
            """)

    private let repairs: Bool
    private let takesForGone: Bool
    private let readsTagged: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        repairs = arguments.has("repair")
        takesForGone = arguments.has("files-gone")
        readsTagged = arguments.has("checksums")
        guard repairs || !takesForGone else { throw UsageError("--files-gone needs --repair") }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let doctor = Doctor(
            places: try environment.places(), version: Version.number,
            homeFolder: environment.variables["HOME"],
            now: environment.now)
        let diagnosis =
            repairs
            ? try await doctor.repair(takesForGone: takesForGone, readsTagged: readsTagged)
            : try await doctor.examine(readsTagged: readsTagged)
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(Row(diagnosis)))
        } else {
            for line in lines(diagnosis, environment) { try environment.say(line) }
        }
        let isMended = diagnosis.isRepaired && !diagnosis.hasLasting
        return diagnosis.hasProblems && !isMended ? .failed : .done
    }

    private func lines(_ diagnosis: Diagnosis, _ environment: Environment) -> [String] {
        var lines = databaseLines(diagnosis)
        if let reason = diagnosis.absence {
            lines.append(
                "\(reason.prefix(1).uppercased())\(reason.dropFirst()); is its disk mounted? Nothing was changed for "
                    + "it; where the files are gone for good, '--repair --files-gone' records that")
        }
        for problem in diagnosis.missing {
            lines.append(
                "\(diagnosis.isRepaired ? "Marked as missing" : "Missing"): \(name(problem.episode)) (\(problem.path)); "
                    + "'podget download \(problem.episode.id)' fetches it again"
            )
        }
        for problem in diagnosis.returned {
            lines.append(
                "\(diagnosis.isRepaired ? "Taken back" : "There again"): \(name(problem.episode)) (\(problem.path))"
            )
        }
        for (problem, byteCount) in diagnosis.shortened {
            let (size, recorded) = (
                environment.format.bytes(byteCount), environment.format.bytes(problem.file.byteCount)
            )
            lines.append(
                "Smaller than it was: \(name(problem.episode)), \(size) of \(recorded) (\(problem.path)); if that was no "
                    + "doing of yours, 'podget delete \(problem.file.id)' and 'podget download \(problem.file.id)' "
                    + "fetch it again")
        }
        for problem in diagnosis.altered {
            lines.append(
                "Not what it was: \(name(problem.episode)) (\(problem.path)); its checksum is another one")
        }
        for file in diagnosis.forgotten {
            let what = diagnosis.isRepaired ? "Recorded again" : "Not recorded"
            lines.append("\(what): \(name(file.episode)) (\(file.path))")
        }
        for path in diagnosis.stalePartials {
            lines.append("\(diagnosis.isRepaired ? "Removed" : "Not wanted any more"): \(path)")
        }
        for path in diagnosis.strangers.prefix(environment.options.isVerbose ? .max : 10) {
            lines.append("Not podget's, and left alone: \(path)")
        }
        if diagnosis.strangers.count > 10, !environment.options.isVerbose {
            lines.append("… and \(diagnosis.strangers.count - 10) more; --verbose lists them")
        }
        if diagnosis.hasProblems, !diagnosis.isRepaired {
            lines.append("'podget doctor --repair' mends this")
        }
        return lines
    }

    private func databaseLines(_ diagnosis: Diagnosis) -> [String] {
        guard !diagnosis.damage.isEmpty else { return ["\(diagnosis.database) is sound"] }
        var lines = diagnosis.damage.prefix(5).map { "\(diagnosis.database) is damaged: \($0)" }
        if let aside = diagnosis.setAside { lines.append("It was set aside as \(aside)") }
        switch (diagnosis.newestBackup, diagnosis.isRepaired) {
        case (let backup?, true):
            lines.append("Brought back \(backup); 'podget refresh' tells it what came later")
        case (let backup?, false): lines.append("The newest sound backup is \(backup)")
        case (nil, true): lines.append("There is no sound backup; an empty library was begun")
        case (nil, false):
            lines.append(
                "There is no sound backup; a repair begins an empty library, and subscribes to the feeds that are known"
            )
        }
        if !diagnosis.subscribedAgain.isEmpty {
            let names = diagnosis.subscribedAgain.prefix(5).map(\.title).joined(separator: ", ")
            let rest = diagnosis.subscribedAgain.count > 5 ? " …" : ""
            lines.append("Subscribed again, as the backup did not know them: \(names)\(rest)")
            lines.append(
                "The next sync asks them for their episodes, and finds the files of those in the library")
        }
        return lines
    }

    private func name(_ episode: EpisodeReference) -> String {
        "\(episode.feedTitle): \(episode.title)"
    }

    /// A diagnosis as `doctor --json` prints it.
    private struct Row: Encodable {
        struct File: Encodable {
            let episode: EpisodeReference
            let file: String

            init(_ problem: FileProblem) {
                episode = problem.episode
                file = problem.path
            }

            init(_ forgotten: ForgottenFile) {
                episode = forgotten.episode
                file = forgotten.path
            }
        }

        let database: String
        let damage: [String]
        let newestBackup: String?
        let subscribedAgain: [String]
        let setAside: String?
        let absence: String?
        let missing: [File]
        let returned: [File]
        let shortened: [File]
        let altered: [File]
        let notRecorded: [File]
        let notOurs: [String]
        let stalePartials: [String]
        let repaired: Bool

        init(_ diagnosis: Diagnosis) {
            database = diagnosis.database
            damage = diagnosis.damage
            newestBackup = diagnosis.newestBackup
            subscribedAgain = diagnosis.subscribedAgain.map(\.slug)
            setAside = diagnosis.setAside
            absence = diagnosis.absence
            missing = diagnosis.missing.map(File.init)
            returned = diagnosis.returned.map(File.init)
            altered = diagnosis.altered.map(File.init)
            shortened = diagnosis.shortened.map { File($0.problem) }
            notRecorded = diagnosis.forgotten.map(File.init)
            notOurs = diagnosis.strangers
            stalePartials = diagnosis.stalePartials
            repaired = diagnosis.isRepaired
        }
    }
}
