import Aggregator

/// The values of `--tag`: whole tags, or paths such as `Arts/Music`.
func tags(_ arguments: Arguments) throws(UsageError) -> [String] {
    let given = arguments.values(of: "tag")
    let tags = given.compactMap { cleanTag($0) }
    guard tags.count == given.count else { throw UsageError("--tag needs a name, such as --tag News") }
    return tags
}

/// The tags of a feed in one line.
func tagWords(_ tags: [String]?) -> String { (tags ?? []).joined(separator: ", ") }
