/// All commands, in the order in which `podget --help` lists them.
enum CommandTable {
    static let commands: [any Command.Type] = [
        SubscribeCommand.self,
        SyncCommand.self,
        RefreshCommand.self,
        DownloadCommand.self,
        UnsubscribeCommand.self,
        FeedsCommand.self,
        EpisodesCommand.self,
        ShowCommand.self,
        WhyCommand.self,
        InspectCommand.self,
        StatusCommand.self,
        StorageCommand.self,
        DeleteCommand.self,
        CleanCommand.self,
        PlaylistCommand.self,
        PlayCommand.self,
        QueueCommand.self,
        LiveCommand.self,
        MarkCommand.self,
        ConfigCommand.self,
        SetCommand.self,
        DoctorCommand.self,
        ImportCommand.self,
        ExportCommand.self,
        AdoptCommand.self,
    ]

    static var syntaxes: [CommandSyntax] { commands.map { $0.syntax } }

    static func command(named name: String) -> (any Command.Type)? {
        commands.first { $0.syntax.name == name }
    }
}
