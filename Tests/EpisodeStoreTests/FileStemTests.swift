import Testing

@testable import EpisodeStore

@Suite struct FileStemTests {
    @Test func `a free name is taken as it is`() {
        #expect(chooseFileStem("Part 1", number: 7, isTaken: ["Part 2"].contains) == "Part 1")
    }

    @Test func `the number of the episode tells equal names apart`() {
        #expect(chooseFileStem("Part", number: 7, isTaken: ["part"].contains) == "Part (7)")
        #expect(chooseFileStem("Part", number: 7, isTaken: ["part", "part (7)"].contains) == "Part (7-2)")
    }

    @Test func `a long name is cut between characters and stays unique`() {
        let long = String(repeating: "🚂", count: 100)
        let plain = chooseFileStem(long, number: 7, maxByteCount: 50, isTaken: Set<String>().contains)
        #expect(plain == String(repeating: "🚂", count: 12))
        let suffixed = chooseFileStem(long, number: 7, maxByteCount: 50, isTaken: [plain].contains)
        #expect(suffixed == String(repeating: "🚂", count: 11) + " (7)")
    }

    @Test func `a cut leaves no blank or dot at the end`() {
        #expect(chooseFileStem("ab. cd", number: 7, maxByteCount: 4, isTaken: Set<String>().contains) == "ab")
    }
}
