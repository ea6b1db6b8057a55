/// Where things are kept, as the help and the manual page tell it.
enum FileTable {
    static let rows: [(path: String, content: String)] = [
        ("~/Podcasts", "Finished files and playlists, a folder for each feed"),
        ("~/.local/share/podget/podget.db", "Feeds, episodes, queue: what must survive"),
        ("~/.cache/podget/resume", "Partial downloads; may be deleted at any time"),
        ("~/.config/podget/config.json5", "Settings, such as another folder for finished files"),
    ]

    static let note = """
        XDG_DATA_HOME, XDG_CACHE_HOME and XDG_CONFIG_HOME move the last three; --home DIR, or PODGET_HOME=DIR, puts
        everything under one folder. 'podget export --help' tells how all of it moves to another machine.
        """
}

/// The exit codes, as the help and the manual page tell them.
enum ExitCodeTable {
    static let rows: [(code: ExitCode, meaning: String)] = [
        (.done, "Done, also where there was nothing to do"),
        (.failed, "Failed"),
        (.usage, "A mistake in the command line, or a name that fits several things"),
        (.partly, "Some feeds or downloads failed, and the rest went through"),
        (.interrupted, "Interrupted; everything is saved, and the next run goes on"),
    ]
}

/// What FEED and EPISODE stand for, as the help and the manual page tell it.
enum SelectorTable {
    static let rows: [(name: String, meaning: String)] = [
        (
            "FEED",
            "A number or a slug ('podget feeds' shows both), an address or the end of one, or a part of title or slug"
        ),
        (
            "EPISODE",
            "A number ('podget episodes' shows it), FEED:latest (of what its filters want), FEED:S2E5, FEED:E5, FEED:S2 or FEED:all; 'play' also takes EPISODE@12:34, EPISODE@3 (a chapter) and FEED:live"
        ),
    ]
}
