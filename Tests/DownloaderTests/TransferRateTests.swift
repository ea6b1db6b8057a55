import Downloader
import Testing

@Suite
struct TransferRateTests {
    private let start = ContinuousClock.now

    @Test func `there is no number before something was measured`() {
        var rate = TransferRate()
        #expect(rate.bytesPerSecond == nil)
        rate.record(byteCount: 5_000_000, at: start)
        #expect(rate.bytesPerSecond == nil)
        #expect(rate.timeLeft(byteCount: 1, expected: .exact(10)) == nil)
        rate.record(byteCount: 6_000_000, at: start + .seconds(1))
        #expect(rate.bytesPerSecond == 1_000_000)
    }

    @Test func `a burst moves the number by a part only`() throws {
        var rate = TransferRate()
        for second in 0...10 {
            rate.record(byteCount: Int64(second) * 1_000_000, at: start + .seconds(second))
        }
        rate.record(byteCount: 18_000_000, at: start + .seconds(11))
        let shown = try #require(rate.bytesPerSecond)
        #expect((1_000_000...3_000_000).contains(shown))
    }

    @Test func `a pause is not counted as slowness`() {
        var rate = TransferRate()
        rate.record(byteCount: 0, at: start)
        rate.record(byteCount: 2_000_000, at: start + .seconds(1))
        rate.resume(byteCount: 2_000_000, at: start + .seconds(3600))
        #expect(rate.bytesPerSecond == 2_000_000)
        rate.record(byteCount: 4_000_000, at: start + .seconds(3601))
        #expect(rate.bytesPerSecond == 2_000_000)
    }

    @Test func `below five seconds it is almost done`() {
        var rate = TransferRate()
        rate.record(byteCount: 0, at: start)
        rate.record(byteCount: 1_000_000, at: start + .seconds(1))
        #expect(rate.timeLeft(byteCount: 1_000_000, expected: .exact(5_900_000)) == .almostDone)
        #expect(rate.timeLeft(byteCount: 1_000_000, expected: .exact(11_000_000)) == .duration(.seconds(10)))
        #expect(rate.timeLeft(byteCount: 1_000_000, expected: .unknown) == nil)
        #expect(rate.timeLeft(byteCount: 9_000_000, expected: .estimated(5_000_000)) == nil)
    }

    @Test func `starting over begins a new measurement`() {
        var rate = TransferRate()
        rate.record(byteCount: 0, at: start)
        rate.record(byteCount: 9_000_000, at: start + .seconds(1))
        rate.record(byteCount: 0, at: start + .seconds(2))
        #expect(rate.bytesPerSecond == 9_000_000)
    }
}
