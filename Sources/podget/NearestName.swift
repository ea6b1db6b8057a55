/// Finds the name that a mistyped word most likely stands for, or nil if none is near.
func nearest(to word: String, among names: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    let scored = names.map { (name: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
    guard let best = scored.min(by: { $0.distance < $1.distance }), best.distance <= allowed else {
        return nil
    }
    return best.name
}

/// Counts the insertions, deletions, replacements and swaps of neighbours between two words.
private func editDistance(_ left: String, _ right: String) -> Int {
    let left = Array(left.prefix(64))
    let right = Array(right.prefix(64))
    var rows = [Array(0...right.count)]
    for i in 1...max(1, left.count) where i <= left.count {
        var row = [i]
        for j in 1...max(1, right.count) where j <= right.count {
            var best = min(
                rows[i - 1][j] + 1,
                row[j - 1] + 1,
                rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1))
            if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                best = min(best, rows[i - 2][j - 2] + 1)
            }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[left.count][right.count]
}
