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
        SearchCommand.self,
        WhyCommand.self,
        InspectCommand.self,
        StatusCommand.self,
        PauseCommand.self,
        ResumeCommand.self,
        RetryCommand.self,
        CancelCommand.self,
        StorageCommand.self,
        DeleteCommand.self,
        CleanCommand.self,
        PlaylistCommand.self,
        TranscriptCommand.self,
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
        ScheduleCommand.self,
        CompletionsCommand.self,
        HelpCommand.self,
    ]

    /// What other programs call these commands: somebody who tries such a word is told ours.
    static let otherWords = [
        "add": "subscribe", "follow": "subscribe", "new": "subscribe", "sub": "subscribe",
        "remove": "unsubscribe", "unfollow": "unsubscribe", "unsub": "unsubscribe",
        "list": "feeds", "ls": "feeds", "podcasts": "feeds", "shows": "feeds", "subscriptions": "feeds",
        "update": "sync", "run": "sync", "check": "refresh", "fetch": "sync", "upgrade": "sync",
        "get": "download", "pull": "download", "dl": "download",
        "info": "show", "details": "show", "cat": "show", "items": "episodes", "latest": "episodes",
        "progress": "status", "jobs": "status", "stop": "pause", "abort": "cancel",
        "rm": "delete", "del": "delete", "erase": "delete", "cleanup": "clean", "purge": "clean",
        "prune": "clean",
        "du": "storage", "space": "storage", "disk": "storage", "find": "search", "grep": "search",
        "settings": "config", "option": "config", "options": "config", "cron": "schedule",
        "timer": "schedule", "m3u": "playlist", "parse": "inspect", "man": "help", "usage": "help",
        "next": "queue", "listen": "play", "history": "why", "log": "why", "move": "export",
        "migrate": "export",
        "backup": "export", "archive": "adopt", "keep": "mark", "played": "mark", "star": "mark",
        "restart": "retry",
        "opml": "import", "rename": "set", "watch": "status",
    ]

    /// Words of which the name of a command says too little.
    static let advice = [
        "tag": "'podget set FEED tag TAG' sorts a feed under a tag",
        "tags": "'podget set FEED tags \"TAG, TAG\"' sorts a feed under tags",
        "untag": "'podget set FEED untag TAG' takes a tag away",
        "pin": "'podget mark keep EPISODE' keeps a file",
        "undo":
            "'podget download EPISODE' fetches a deleted episode again, 'podget mark unplayed' takes that mark back",
        "continue":
            "'podget episodes --state started' lists what was begun, 'podget play EPISODE' goes on with it, 'podget resume' with downloads",
        "undelete": "'podget download EPISODE' fetches a deleted episode again",
        "hooks": "'podget config --example' shows how programs are named that run after a download",
        "copy": "'podget playlist --help' tells how files are copied to a stick",
    ]

    static var syntaxes: [CommandSyntax] { commands.map { $0.syntax } }

    static func command(named name: String) -> (any Command.Type)? {
        commands.first { $0.syntax.name == name }
    }
}
