/// The values of `--tag`: whole tags, or paths such as `Arts/Music`.
func tags(_ arguments: Arguments) throws(UsageError) -> [String] {
    let given = arguments.values(of: "tag")
    let tags = given.map { tag in
        tag.split(separator: "/").map { $0.split { $0.isWhitespace }.joined(separator: " ") }
            .filter { !$0.isEmpty }.joined(separator: "/")
    }
    if tags.contains("") { throw UsageError("--tag needs a name, such as --tag News") }
    return tags
}
