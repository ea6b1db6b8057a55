/// Adds sizes, some of which a feed or a server may have made up: a sum beyond any number is the largest one.
public func byteSum(_ byteCounts: some Sequence<Int64>) -> Int64 {
    byteCounts.reduce(0) { sum, count in
        let (result, overflows) = sum.addingReportingOverflow(count)
        return overflows ? .max : result
    }
}
