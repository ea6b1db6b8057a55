import Testing

@testable import Aggregator

@Suite struct PlacesTests {
    @Test func `the XDG folders are used`() throws {
        let places = try #require(
            Places(
                variables: ["HOME": "/home/ada", "XDG_DATA_HOME": "/srv/data", "XDG_CACHE_HOME": "relative"],
                home: nil,
                workingDirectory: "/"))
        #expect(places.database == "/srv/data/podget/podget.db")
        // A relative path is to be ignored, says the specification.
        #expect(places.resumeFolder == "/home/ada/.cache/podget/resume")
        #expect(places.configFile == "/home/ada/.config/podget/config.json5")
        #expect(places.defaultLibrary == "/home/ada/Podcasts")
    }

    @Test func `one folder holds everything if asked for`() throws {
        let places = try #require(
            Places(variables: ["PODGET_HOME": "/elsewhere"], home: "box", workingDirectory: "/srv"))
        #expect(places.data == "/srv/box/data")
        #expect(places.cache == "/srv/box/cache")
        #expect(places.configFile == "/srv/box/config.json5")
        #expect(places.defaultLibrary == "/srv/box/Podcasts")
    }

    @Test func `the folders of the older program of that name are not used`() throws {
        let places = try #require(Places(variables: ["HOME": "/home/ada"], home: nil, workingDirectory: "/"))
        for path in [places.data, places.cache, places.database, places.defaultLibrary] {
            #expect(!path.hasPrefix("/home/ada/.podget"))
            #expect(!path.hasPrefix("/home/ada/.config/podget"))
        }
    }

    @Test func `without any home there is no place`() {
        #expect(Places(variables: [:], home: nil, workingDirectory: "/") == nil)
    }

    @Test(arguments: [
        ("a/b", "/w/a/b"), ("./a//b/", "/w/a/b"), ("../a", "/a"), ("/../..", "/"), ("/a/./b/../c", "/a/c"),
    ])
    func `paths become absolute and plain`(_ path: String, _ plain: String) {
        #expect(absolutePath(path, in: "/w") == plain)
    }
}
