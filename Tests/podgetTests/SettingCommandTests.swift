import Foundation
import Testing

@testable import podget

@Suite(.timeLimit(.minutes(5)))
struct SettingCommandTests {
    private struct Row: Decodable {
        let key: String
        let value: String?
        let `default`: String?
        let from: String?
    }

    private func homeWithFeed() async throws -> TestHome {
        let home = try TestHome()
        await home.podget("subscribe", try home.write(feed("Show", []), to: "feed.xml"))
        return home
    }

    @Test func `a setting is written where a person wrote, and comments stay`() async throws {
        let home = try TestHome()
        let text = "// my podget\n{\n    latest: 3, // three is enough\n    /* keep: 1, */\n}\n"
        let file = try home.write(text, to: "config.json5")
        let set = await home.podget("config", "latest", "5")
        #expect(set.output == "latest is 5 now\n")
        #expect(try home.read(file) == text.replacing("latest: 3", with: "latest: 5"))
        await home.podget("config", "keep", "30d")
        #expect(
            try home.read(file)
                == "// my podget\n{\n    latest: 5, // three is enough\n    /* keep: 1, */\n    keep: \"30d\",\n}\n"
        )
        #expect(await home.podget("config", "keep").output == "30d\n")
        await home.podget("config", "keep", "--default")
        #expect(try home.read(file) == text.replacing("latest: 3", with: "latest: 5"))
        #expect(await home.podget("config", "keep").output == "all\n")
    }

    @Test func `a program is written as words, or as a list where that leaves something open`() async throws {
        let home = try TestHome()
        for (text, words) in [
            ("vlc --start-time={start} {file}", #"["vlc","--start-time={start}","{file}"]"#),
            (" mpv  --ao=null ", #"["mpv","--ao=null"]"#),
            (#"["my player", "{file}"]"#, #"["my player","{file}"]"#),
        ] {
            #expect(await home.podget("config", "player", text).output.hasPrefix("player is \(words) now\n"))
        }
        for unclear in ["'my player' {file}", "a\\ b", "\"x\" y", " ", "[\"x\"", "vlc {position}"] {
            let refused = await home.podget("config", "player", unclear)
            #expect(refused.code == .usage, "\(unclear)")
            #expect(
                refused.errors.contains("'player' must be a program and its arguments"), "\(refused.errors)")
        }
        #expect(await home.podget("config", "player").output == "[\"my player\",\"{file}\"]\n")
    }

    @Test func `the word that is wrong is named, and an empty value is told as what it is`() async throws {
        let home = try await homeWithFeed()
        #expect(
            await home.podget("set", "show", "types", "full,Trailers").errors.hasSuffix("not 'trailers'\n"))
        #expect(await home.podget("set", "show", "exclude", "").output == "Show: exclude is empty now\n")
        await home.podget("set", "show", "latest", "3")
        #expect(
            await home.podget("set", "show", "keep", "1").output.contains("no more than 1 is downloaded"))
    }

    @Test func `without a file one is made, and a link to one is followed`() async throws {
        let home = try TestHome()
        let target = try home.write("{}", to: "dotfiles/podget")
        try FileManager.default.createSymbolicLink(
            atPath: home.path + "/config.json5", withDestinationPath: target)
        await home.podget("config", "types", "full,bonus")
        #expect(try home.read(target) == "{ types: \"full,bonus\" }")
        let other = try TestHome()
        await other.podget("config", "transfers", "5")
        #expect(try other.read(other.path + "/config.json5") == "{\n    transfers: 5,\n}\n")
    }

    @Test func `a wrong key or value names what is allowed, and nothing is written`() async throws {
        let home = try TestHome()
        let key = await home.podget("config", "latets", "5")
        #expect(key.code == .usage)
        #expect(
            key.errors.hasPrefix(
                "podget: there is no setting 'latets'; the settings are latest, first, keep,"))
        let value = await home.podget("config", "keep", "forever")
        #expect(value.code == .usage)
        #expect(
            value.errors
                == "podget: 'keep' must be a number of files (10), a time (30d, 4w) or all, not 'forever'\n")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/config.json5"))
        try home.write("{ latest: ", to: "config.json5")
        let broken = await home.podget("config", "latest", "5")
        #expect(broken.code == .failed)
        #expect(broken.errors.contains("config.json5: it is not valid JSON5"))
        #expect(try home.read(home.path + "/config.json5") == "{ latest: ")
    }

    @Test func `the example file has every key with its default`() async throws {
        let home = try TestHome()
        let example = await home.podget("config", "--example").output
        try home.write(example, to: "config.json5")
        let before = try await home.podget("config", "--json").json([Row].self)
        #expect(before.allSatisfy { $0.value == $0.default })
        for row in before { #expect(example.contains("    // \(row.key): ")) }
        // With its lines brought in, it is still a settings file.
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            before.contains { line.hasPrefix("    // \($0.key): ") }
                ? String(line).replacing("// ", with: "") : String(line)
        }
        try home.write(lines.joined(separator: "\n"), to: "config.json5")
        let after = try await home.podget("config", "--json").json([Row].self)
        for (row, old) in zip(after, before) where old.default != nil { #expect(row.value == old.default) }
        #expect(after.allSatisfy { $0.value != nil })
    }

    @Test func `a feed's own setting holds over the global one until it is taken away`() async throws {
        let home = try await homeWithFeed()
        await home.podget("config", "keep", "10")
        let set = await home.podget("set", "show", "keep", "4W")
        #expect(set.output == "Show: keep is 4W now\n")
        let row = { try await home.podget("set", "show", "keep", "--json").json([Row].self).first }
        #expect(try await row()?.value == "4W")
        #expect(try await row()?.from == "feed")
        #expect(await home.podget("set", "show", "keep", "--default").output == "Show: keep is 10 now\n")
        #expect(try await row()?.from == "global")
        let list = await home.podget("set", "show")
        #expect(list.output.contains("latest       1                   default\n"))
        #expect(list.output.contains("keep         10                  config.json5\n"))
    }

    @Test func `a feed is renamed, and gets its own title back`() async throws {
        let home = try await homeWithFeed()
        #expect(await home.podget("set", "show", "NAME", "Mine").output == "Mine: name is Mine now\n")
        #expect(await home.podget("feeds").output.contains("Mine"))
        #expect(await home.podget("set", "mine", "name", "--default").output == "Show: name is not set now\n")
    }

    @Test(arguments: [
        ("bandwidth", "300k", "300 kB/s"), ("bandwidth", "500 KB/s", "500 kB/s"),
        ("bandwidth", "2M", "2 MB/s"),
        ("storageLimit", "20G", "20 GB"), ("storageLimit", "1.5 GiB", "1536 MiB"),
        ("reserve", "512Mi", "512 MiB"),
        ("quality", "64k", "64k"), ("quality", "0.5 Mbit/s", "0.5 mbit/s"), ("quality", "64000", "64000"),
    ])
    func `sizes and rates are written alike everywhere`(_ key: String, _ text: String, _ shown: String)
        async throws
    {
        let home = try TestHome()
        #expect(await home.podget("config", key, text).output == "\(key) is \(shown) now\n")
        #expect(await home.podget("config", key).output == shown + "\n")
    }

    @Test(arguments: [
        ("bandwidth", "300"), ("bandwidth", "300 kg"), ("bandwidth", "1"), ("storageLimit", "20"),
        ("storageLimit", "20 GB/s"), ("quality", "0"), ("quality", "64 kB"), ("storageLimit", "1e99 GB"),
    ])
    func `a number that could be anything is refused`(_ key: String, _ text: String) async throws {
        let outcome = try await TestHome().podget("config", key, text)
        #expect(outcome.code == .usage)
        #expect(outcome.errors.hasPrefix("podget: '\(key)' must be "))
    }

    @Test func `the folder of the library is the one in force`() async throws {
        let home = try TestHome()
        #expect(await home.podget("config", "library").output == home.library + "\n")
        #expect(await home.podget("config").output.contains(home.library))
        #expect(await home.podget("config", "library", "--home", "/else").output == "/else/Podcasts\n")
        await home.podget("config", "library", "~/Shows")
        #expect(await home.podget("config", "library").output == home.path + "/Shows\n")
        #expect(
            try await home.podget("config", "library", "--json").json(Row.self).value == home.path + "/Shows")
    }

    @Test(arguments: [
        (["set", "show", "transfers", "3"], "there is no setting of a feed 'transfers'"),
        (["set", "show", "include", "("], "'include' must be a regular expression"),
        (["set", "show", "minDuration", "10"], "'minDuration' must be a length such as 90s, 10m"),
        (["set", "show", "--default"], "--default needs the KEY"),
        (["set", "show", "keep", "3", "--default"], "--default takes no VALUE"),
        (["set", "shaw", "keep", "3"], "nothing is called 'shaw'"),
    ])
    func `a mistake in the settings of a feed is named`(_ words: [String], _ message: String) async throws {
        let home = try await homeWithFeed()
        let outcome = await home.run(words)
        #expect(outcome.code == .usage)
        #expect(outcome.errors.hasPrefix("podget: " + message), "\(outcome.errors)")
    }
}
