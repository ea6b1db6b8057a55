/// Remembers which rule belongs to a name, so that names are compared once per document.
struct RuleCache {
    /// What is known of a name: there may be no rule for it.
    struct Entry {
        let rule: Rule?
    }

    /// By the number of the name, then by level.
    private var known: [Entry?] = []
    private static let levelCount = Level.allCases.count

    /// The rule for a name at a level, or none; nil where it was not looked up yet.
    subscript(id: Int, level: Level) -> Entry? {
        get {
            let index = id * Self.levelCount + level.rawValue
            return index < known.count ? known[index] : nil
        }
        set {
            while known.count <= id * Self.levelCount + level.rawValue { known.append(nil) }
            known[id * Self.levelCount + level.rawValue] = newValue
        }
    }
}
