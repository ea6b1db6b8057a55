import Aggregator

/// Looks whether the library is sound, and mends it: `podget doctor`.
struct DoctorCommand: Command {
    static let syntax = CommandSyntax(
        name: "doctor",
        group: .settings,
        summary: "Look whether the library is sound: its database, its files, its partial downloads",
        options: [OptionSyntax("repair", "Mend what is found")],
        details: """
            --repair sets a damaged database aside, brings back the newest daily backup, records files again that the
            backup does not know, marks files that are gone as missing, and removes partial downloads that nobody wants.
            It deletes no finished file and nothing of yours. What a backup does not know, it learns from the feeds:
            'podget refresh', and then 'podget doctor --repair' again, find the files of episodes that came after it.

            Exit code 1 where something is wrong and was not mended.
            """)

    private let repairs: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        repairs = arguments.has("repair")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let doctor = Doctor(
            places: try environment.places(), version: Version.number,
            homeFolder: environment.variables["HOME"],
            now: environment.now)
        let diagnosis = repairs ? try await doctor.repair() : try await doctor.examine()
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(Row(diagnosis)))
        } else {
            for line in lines(diagnosis, environment) { try environment.say(line) }
        }
        let isMended = diagnosis.isRepaired && diagnosis.absentFolder == nil
        return diagnosis.hasProblems && !isMended ? .failed : .done
    }

    private func lines(_ diagnosis: Diagnosis, _ environment: Environment) -> [String] {
        var lines = databaseLines(diagnosis)
        if let folder = diagnosis.absentFolder {
            lines.append(
                "The library folder \(folder) is not there; is its disk mounted? Nothing was changed for it")
        }
        for (episode, path) in diagnosis.missing {
            lines.append(
                "\(diagnosis.isRepaired ? "Marked as missing" : "Missing"): \(name(episode)) (\(path))")
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
        case (nil, false): lines.append("There is no sound backup; a repair begins an empty library")
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
        }

        let database: String
        let damage: [String]
        let newestBackup: String?
        let setAside: String?
        let absentFolder: String?
        let missing: [File]
        let notRecorded: [File]
        let notOurs: [String]
        let stalePartials: [String]
        let repaired: Bool

        init(_ diagnosis: Diagnosis) {
            database = diagnosis.database
            damage = diagnosis.damage
            newestBackup = diagnosis.newestBackup
            setAside = diagnosis.setAside
            absentFolder = diagnosis.absentFolder
            missing = diagnosis.missing.map { File(episode: $0.episode, file: $0.path) }
            notRecorded = diagnosis.forgotten.map { File(episode: $0.episode, file: $0.path) }
            notOurs = diagnosis.strangers
            stalePartials = diagnosis.stalePartials
            repaired = diagnosis.isRepaired
        }
    }
}
