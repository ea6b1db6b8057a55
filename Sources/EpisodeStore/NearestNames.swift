/// Returns at most three names that differ least from a mistyped one, the nearest first; upper case does not matter.
public func nearestNames(to wanted: String, from names: [String]) -> [String] {
    let limit = max(1, wanted.count / 3)
    return names.map { (distance: editDistance(wanted.lowercased(), $0.lowercased()), name: $0) }
        .filter { $0.distance <= limit }
        .sorted { $0 < $1 }
        .prefix(3)
        .map(\.name)
}

/// Counts the insertions, deletions, replacements and swaps of neighbours between two words.
///
/// Looks at the first 64 characters of each: names are short, and the work grows with the product of their lengths.
func editDistance(_ left: String, _ right: String) -> Int {
    let left = Array(left.prefix(64))
    let right = Array(right.prefix(64))
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
            var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current.append(best)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[right.count]
}
