import Downloader
import Testing

@Suite struct ResponseHeadTests {
    @Test(
        arguments: [
            (nil, nil, nil), ("max-age=600", nil, 600), ("public, MAX-AGE=\"60\", must-revalidate", nil, 60),
            ("max-age=600, no-cache", nil, nil), ("no-store", 900, nil), ("max-age=0", 900, nil),
            ("max-age=x", 900, nil), ("max-age=99999999999999999999", nil, nil),
            ("max-age=9999999999", nil, 366 * 86_400), ("s-maxage=5", 900, 900), (nil, 900, 900),
            (nil, 0, nil),
            (nil, -5, nil),
        ] as [(String?, Int64?, Int?)])
    func `freshness is max-age, else Expires`(_ cacheControl: String?, _ expires: Int64?, _ seconds: Int?) {
        var head = ResponseHead(status: 200, finalURL: "https://a.example/")
        head.cacheControl = cacheControl
        head.dateTime = 1_000_000
        head.expiresTime = expires.map { 1_000_000 + $0 }
        #expect(head.freshness == seconds.map { .seconds($0) })
    }
}
