import Foundation
import Testing

@testable import podget

@Suite struct HumanFormatTests {
    private func format(_ language: String) -> HumanFormat {
        HumanFormat(locale: userLocale(["LANG": language]), timeZone: .gmt)
    }

    @Test(arguments: [
        ("de_DE.UTF-8", "23,4 MB"), ("en_US.UTF-8", "23.4 MB"), ("C", "23.4 MB"), ("C.UTF-8", "23.4 MB"),
        ("fr_FR.UTF-8", "23,4 Mo"),
    ])
    func `sizes follow the locale`(_ language: String, _ text: String) {
        let size = format(language).bytes(23_400_000).replacing("\u{A0}", with: " ").replacing(
            "\u{202F}", with: " ")
        #expect(size == text)
    }

    @Test(arguments: [
        (0.0, "0:00"), (5, "0:05"), (123, "2:03"), (3723, "1:02:03"), (-4, "0:00"), (1e300, "99999:59:59"),
    ])
    func `durations read like a clock`(_ seconds: Double, _ text: String) {
        #expect(format("C").duration(seconds: seconds).replacing(",", with: "") == text)
    }

    @Test(arguments: [
        (["LC_ALL": "de_DE.UTF-8", "LANG": "ja_JP"], "de_DE"), (["LANG": "nosuchlocale"], "en_US_POSIX"),
        (["LANG": "AAAAAAAAAAAA_AAAAAAAAAAAAAAAA"], "en_US_POSIX"),
        (["LANG": "ja_JP.UTF-8"], "ja_JP"),
        (["LC_ALL": "", "LANG": "it_IT@euro"], "it_IT"), ([:], "en_US_POSIX"),
    ])
    func `the locale comes from the environment`(_ variables: [String: String], _ identifier: String) {
        #expect(userLocale(variables).identifier == identifier)
    }

    @Test func `a size of hostile length does not crash`() {
        #expect(!format("C").rate(bytesPerSecond: .infinity).isEmpty)
        #expect(!format("C").bytes(.max).isEmpty)
    }
}
