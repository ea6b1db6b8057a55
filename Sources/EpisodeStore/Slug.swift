/// Makes the short name of a feed from its title, different from those that are taken.
///
/// Letters and digits of any script in lower case, joined by `-`, at most forty characters. A slug is never a bare
/// number, since a number selects a feed by its id.
func makeSlug(from title: String, isTaken: (String) -> Bool) -> String {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    var base = ""
    for word in words where base.count + word.count < 40 {
        base += base.isEmpty ? String(word) : "-\(word)"
    }
    if base.isEmpty {
        base = words.first.map { String($0.prefix(40)) } ?? "feed"
    }
    if base.allSatisfy(\.isNumber) {
        base = "feed-\(base)"
    }
    guard isTaken(base) else { return base }
    var number = 2
    while isTaken("\(base)-\(number)") {
        number += 1
    }
    return "\(base)-\(number)"
}
