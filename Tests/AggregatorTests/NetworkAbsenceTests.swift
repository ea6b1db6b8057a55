import Testing

@testable import Aggregator

@Suite struct NetworkAbsenceTests {
    @Test(arguments: [
        (false, 0, true, false), (false, 0, false, false), (true, 5, false, false), (true, 1, true, false),
        (false, 2, true, true), (false, 1, true, false), (false, 1, false, true),
    ])
    func `no network is what many hosts, or the routes, say`(
        _ hasAnswer: Bool, _ silent: Int, _ hasRoute: Bool, _ expected: Bool
    ) {
        #expect(
            isNetworkAbsent(hasAnswer: hasAnswer, silentHostCount: silent, hasRoute: hasRoute) == expected)
    }

    private static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n"
    private static let lo =
        "00000000000000000000000000000000 00 "
        + "00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200"

    @Test(arguments: [
        ("", "", false),
        (head, lo + "       lo\n", false),
        (head + "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\n", "", true),
        (head + "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\n", "", false),
        (head, lo + "     eth0\n", true),
    ])
    func `a default route is found in the kernel's tables`(_ ipv4: String, _ ipv6: String, _ expected: Bool) {
        #expect(hasDefaultRoute(ipv4: ipv4, ipv6: ipv6) == expected)
    }
}
