/// Remembers which rule belongs to a name, so that names are compared once per document.
struct RuleCache {
    /// By level, then by the number of the name; the inner optional is nil where there is no rule.
    private var known: [[Rule??]] = Array(repeating: [], count: Level.allCases.count)

    /// The rule for an element; `find` looks it up the first time.
    mutating func rule(for tag: StartTag, at level: Level, find: (Element) -> Rule?) -> Rule? {
        guard let id = tag.elementID else { return find(tag.element) }
        if id < known[level.rawValue].count, let rule = known[level.rawValue][id] { return rule }
        let rule = find(tag.element)
        while known[level.rawValue].count <= id { known[level.rawValue].append(nil) }
        known[level.rawValue][id] = .some(rule)
        return rule
    }
}
