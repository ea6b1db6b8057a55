import FoundationEssentials

/// Decides whether a refresh met no network at all, so that no feed is to blame.
///
/// - Parameters:
///   - hasAnswer: Whether any host answered anything.
///   - silentHostCount: The hosts that could not be reached or gave no answer.
///   - hasRoute: Whether the system knows a way to the world: it decides where only one host was asked.
func isNetworkAbsent(hasAnswer: Bool, silentHostCount: Int, hasRoute: Bool) -> Bool {
    !hasAnswer && (silentHostCount > 1 || silentHostCount == 1 && !hasRoute)
}

/// Whether the kernel has a default route, by IPv4 or IPv6; true where it does not tell.
func hasDefaultRoute() -> Bool {
    let tables = ["/proc/net/route", "/proc/net/ipv6_route"].map { path in
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
    guard tables.contains(where: { $0 != nil }) else { return true }
    return hasDefaultRoute(ipv4: tables[0] ?? "", ipv6: tables[1] ?? "")
}

/// Reads the kernel's tables as proc(5) describes them: all digits of the destination are zero.
func hasDefaultRoute(ipv4: String, ipv6: String) -> Bool {
    let isDefault4 = ipv4.split(separator: "\n").dropFirst().contains { line in
        let columns = line.split(whereSeparator: \.isWhitespace)
        return columns.count > 3 && columns[1] == "00000000"
    }
    if isDefault4 { return true }
    return ipv6.split(separator: "\n").contains { line in
        let columns = line.split(whereSeparator: \.isWhitespace)
        // Every system has such a line for "lo", which rejects.
        return columns.count > 9 && columns[0].allSatisfy { $0 == "0" } && columns[1] == "00"
            && columns[9] != "lo"
    }
}
