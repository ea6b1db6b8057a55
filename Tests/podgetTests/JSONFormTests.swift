import Foundation
import TestServer
import Testing

@testable import podget

/// Every `--json` output has the form that docs/json.md describes.
@Suite(.timeLimit(.minutes(5)))
struct JSONFormTests {
    private static let state = JSONForm.oneOf([
        "none", "queued", "waiting", "active", "paused", "failed", "done", "missing", "deleted", "skipped",
    ])
    private static let verb = JSONForm.optional(.oneOf(["download", "pause", "resume", "retry", "play"]))
    private static let feedName = JSONForm.object(["id": .whole, "slug": .text, "title": .text])
    private static let episodeName = JSONForm.object(["id": .whole, "title": .text, "feedTitle": .text])
    private static let feedRow = JSONForm.object([
        "id": .whole, "slug": .text, "title": .text, "url": .text, "tags": .list(.text), "episodes": .whole,
        "downloaded": .whole, "newestEpisode": .optional(.date), "lastChecked": .optional(.date),
        "lastSucceeded": .optional(.date),
        "failures": .whole, "gone": .flag, "lastError": .optional(.text),
    ])
    private static let episodeKeys: [String: JSONForm] = [
        "id": .whole, "feed": feedName, "guid": .optional(.text), "title": .text,
        "published": .optional(.date),
        "duration": .optional(.number), "season": .optional(.whole), "episode": .optional(.whole),
        "state": state, "verb": verb, "played": .flag, "kept": .flag, "requested": .flag, "position": .number,
        "url": .optional(.text),
        "file": .optional(.text), "bytes": .optional(.whole), "expectedBytes": .optional(.whole),
        "expectedIsExact": .flag, "error": .optional(.text),
    ]
    private static let episodeRow = JSONForm.object(episodeKeys)
    private static let chapter = JSONForm.object([
        "start": .number, "title": .optional(.text), "url": .optional(.text), "image": .optional(.text),
    ])
    private static let shownEpisode = JSONForm.object(
        episodeKeys.merging([
            "chapters": .list(chapter), "hasTranscript": .flag, "artwork": .optional(.text),
            "originalChecksum": .optional(.text), "taggedChecksum": .optional(.text),
        ]) { $1 })
    private static let hit = JSONForm.object([
        "id": .whole, "feed": feedName, "title": .text, "published": .optional(.date),
        "place": .oneOf(["title", "notes", "chapters", "transcript"]), "snippet": .text,
        "spoken": .optional(
            .object(["start": .optional(.number), "speaker": .optional(.text), "text": .text])),
    ])
    private static let storageItem = JSONForm.object([
        "id": .whole, "title": .text, "feed": .text, "bytes": .whole, "file": .text,
    ])
    private static let statusItem = JSONForm.object([
        "id": .whole, "title": .text, "feed": .text, "state": state, "bytes": .whole,
        "expectedBytes": .optional(.whole), "expectedIsExact": .flag, "rate": .optional(.number),
        "secondsLeft": .optional(.number), "verb": verb, "reason": .optional(.text),
        "until": .optional(.date),
    ])
    private static let status = JSONForm.object([
        "owner": .optional(.whole), "active": .list(statusItem), "queued": .list(statusItem),
        "waiting": .list(statusItem), "paused": .list(statusItem), "failed": .list(statusItem),
    ])
    private static let planRow = JSONForm.object([
        "action": .oneOf(["download", "delete", "keep", "skip"]), "id": .whole, "feed": .text, "title": .text,
        "bytes": .optional(.whole), "file": .optional(.text), "reason": .text,
    ])
    private static let settingRow = JSONForm.object([
        "key": .text, "value": .optional(.any), "from": .oneOf(["feed", "global", "builtIn"]),
    ])
    private static let configRow = JSONForm.object([
        "key": .text, "value": .optional(.any), "default": .optional(.any), "allowed": .text,
        "meaning": .text,
    ])
    private static let why = JSONForm.object([
        "id": .whole, "feed": .text, "title": .text, "state": state, "reason": .optional(.text),
        "identity": .object([
            "rule": .text, "guid": .optional(.text), "firstSeen": .date, "listed": .flag,
            "suspectedDuplicate": .flag,
        ]),
        "next": .object(["action": .text, "reason": .text, "until": .optional(.date)]),
        "rules": .list(settingRow),
        "history": .list(
            .object([
                "date": .date, "event": .text, "from": .optional(.text), "to": .optional(.text),
                "rule": .optional(.text), "mark": .optional(.text), "reason": .optional(.text),
            ])),
    ])
    private static let file = JSONForm.object(["episode": episodeName, "file": .text])
    private static let doctor = JSONForm.object([
        "database": .text, "damage": .list(.text), "newestBackup": .optional(.text),
        "subscribedAgain": .list(.text),
        "setAside": .optional(.text),
        "absence": .optional(.text), "missing": .list(file), "returned": .list(file),
        "shortened": .list(file), "altered": .list(file), "notRecorded": .list(file),
        "notOurs": .list(.text), "stalePartials": .list(.text), "repaired": .flag,
    ])
    private static let events: [String: [String: JSONForm]] = [
        "refreshed": ["feed": feedName, "new": .whole, "total": .whole],
        "feedFailed": ["feed": feedName, "message": .text],
        "started": ["episode": episodeName, "resumedFrom": .whole, "restartReason": .optional(.text)],
        "progress": [
            "episode": episodeName, "bytes": .whole, "expectedBytes": .optional(.whole),
            "expectedIsExact": .flag,
            "rate": .optional(.number), "secondsLeft": .optional(.number),
        ],
        "waiting": ["episode": episodeName, "message": .text, "secondsLeft": .number],
        "postponed": ["episode": episodeName, "message": .text, "until": .optional(.date)],
        "downloaded": ["episode": episodeName, "file": .text, "bytes": .whole, "verified": .flag],
        "failed": ["episode": episodeName, "message": .text, "canResume": .flag],
        "interrupted": ["episode": episodeName, "canResume": .flag],
        "deleted": ["episode": episodeName, "file": .text, "bytes": .whole, "message": .text],
        "stopped": ["episode": episodeName, "state": state],
        "missing": ["episode": episodeName, "file": .text],
        "playlist": ["file": .text, "entries": .whole],
        "following": [:],
        "left": [:],
        "note": ["message": .text],
        "summary": [
            "refreshed": .whole, "new": .whole, "failedFeeds": .whole, "downloaded": .whole,
            "failedDownloads": .whole, "waiting": .whole, "held": .whole, "interrupted": .whole,
            "paused": .whole,
            "deleted": .whole,
        ],
    ]

    /// The commands that print one value, with its form.
    private static let forms: [(words: [String], form: JSONForm)] = [
        (["feeds"], .list(feedRow)), (["episodes"], .list(episodeRow)), (["show", "show"], feedRow),
        (["show", "1"], .list(shownEpisode)), (["search", "part"], .list(hit)),
        (
            ["storage"],
            .object(["total": .whole, "free": .optional(.whole), "items": .list(storageItem)])
        ),
        (["status"], status),
        (
            ["playlist"],
            .list(
                .object([
                    "file": .text, "title": .text, "feed": .text, "duration": .optional(.number),
                    "image": .optional(.text),
                    "chapters": .optional(.list(.object(["start": .number, "title": .text]))),
                ]))
        ),
        (["sync", "--dry-run", "--verbose"], .list(planRow)), (["clean", "--dry-run"], .list(planRow)),
        (["why", "3"], .list(why)), (["mark", "keep", "3"], .list(episodeRow)),
        (["config"], .list(configRow)),
        (["config", "latest"], configRow), (["set", "show"], .list(settingRow)), (["doctor"], doctor),
        (
            ["schedule"],
            .object([
                "installed": .flag, "active": .flag, "service": .text, "timer": .text,
                "crontab": .optional(.text),
            ])
        ),
        (["pause"], .list(.whole)), (["cancel"], .list(.whole)),
        (["delete", "3", "--force"], .list(storageItem)),
        (
            ["adopt", "empty", "--dry-run"],
            .list(
                .object([
                    "file": .text, "result": .text, "episode": .optional(episodeName),
                    "reason": .optional(.text),
                    "path": .optional(.text), "message": .optional(.text),
                    "candidates": .optional(.list(.whole)),
                ]))
        ),
    ]

    private func faults(_ text: some StringProtocol, _ form: JSONForm) throws -> [String] {
        form.faults(of: try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
    }

    private func faults(ofEvent line: some StringProtocol) throws -> [String] {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let name = value?["event"] as? String ?? ""
        guard let forms = Self.events[name] else { return ["there is no event '\(name)'"] }
        return JSONForm.object(forms.merging(["event": .text]) { $1 }).faults(of: value)
    }

    /// A home with a done, a failed and a paused download, and the events of getting there.
    private func home() async throws -> (home: TestHome, server: DummyServer, events: [Substring]) {
        let server = try DummyServer()
        let items = [3, 2, 1].map {
            FeedItem(
                title: "Part \($0)", guid: "\($0)", url: server.url("/\($0).mp3"), day: $0, length: 50_000)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        server.serve("/3.mp3", .pattern(50_000, etag: "\"3\""))
        server.serve("/2.mp3", .status(404))
        server.serve("/1.mp3", .pattern(2_000_000, etag: "\"1\"").with { $0.stallAfter = 1_000_000 })
        server.serve("/broken.xml", inTurn: [.feed(feed("Broken", [])), .status(500)])
        let home = try TestHome()
        try FileManager.default.createDirectory(
            atPath: home.path + "/empty", withIntermediateDirectories: true)
        await home.podget("subscribe", "--latest", "3", server.url("/feed.xml"), server.url("/broken.xml"))
        let sync = Task { await home.podget("sync", "--json") }
        await server.waitForBodyBytes(1_000_000, on: "/1.mp3")
        #expect(try faults(await home.podget("status", "--json").output, Self.status).isEmpty)
        await home.podget("pause", "1")
        let outcome = await sync.value
        #expect(outcome.code == .partly)
        return (home, server, outcome.output.split(separator: "\n"))
    }

    @Test func `each command prints the form described`() async throws {
        let (home, _, events) = try await home()
        for line in events { #expect(try faults(ofEvent: line) == [], "\(line)") }
        let names = Set(events.compactMap { $0.firstMatch(of: /"event":"(\w+)"/)?.output.1 })
        #expect(
            names.isSuperset(of: [
                "refreshed", "feedFailed", "started", "downloaded", "failed", "stopped", "summary",
            ]))
        for (words, form) in Self.forms {
            let outcome = await home.run(words + ["--json"])
            #expect(outcome.code == .done || words == ["doctor"], "\(words): \(outcome.errors)")
            #expect(try faults(outcome.output, form) == [], "\(words): \(outcome.output)")
        }
    }

    @Test func `each command prints the form also where there is nothing`() async throws {
        let home = try TestHome()
        for words in [["feeds"], ["episodes"], ["storage"], ["status"], ["playlist"], ["config"], ["pause"]] {
            let form = try #require(Self.forms.first { $0.words == words }?.form)
            let outcome = await home.run(words + ["--json"])
            #expect(outcome.code == .done, "\(words): \(outcome.errors)")
            #expect(try faults(outcome.output, form) == [], "\(words): \(outcome.output)")
        }
    }

    @Test(arguments: [
        (#"{"a": 1}"#, [String]()), (#"{"a": 1, "b": "x"}"#, []),
        (#"{"a": 1.5}"#, ["$.a is of another kind: 1.5"]),
        (#"{"a": true}"#, ["$.a is of another kind: 1"]), (#"{"b": "x"}"#, ["$.a is absent"]),
        (#"{"a": 1, "c": 1}"#, ["$.c is not described"]), ("[]", ["$ is of another kind: (\n)"]),
    ])
    func `a form finds what does not fit it`(_ text: String, _ expected: [String]) throws {
        let form = JSONForm.object(["a": .whole, "b": .optional(.text)])
        #expect(try faults(text, form).count == expected.count)
        #expect(try faults(text, form).first?.prefix(12) == expected.first?.prefix(12))
    }

    @Test func `docs/json.md names every key and every event`() throws {
        let page = try String(contentsOfFile: repository + "/docs/json.md", encoding: .utf8)
        let words = Set(page.matches(of: /\w+/).map { String($0.output) })
        for key in Self.forms.flatMap(\.form.keys) { #expect(words.contains(key), "\(key)") }
        for (event, forms) in Self.events {
            #expect(page.contains("| `\(event)` |"), "\(event)")
            for key in forms.keys { #expect(words.contains(key), "\(event): \(key)") }
        }
    }
}
