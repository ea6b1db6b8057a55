import Foundation

/// The form of a JSON value: which keys, of which kinds, and which of them may be absent.
indirect enum JSONForm: Sendable {
    case text, date, number, whole, flag, any
    case oneOf([String])
    case list(JSONForm)
    case object([String: JSONForm])
    case optional(JSONForm)

    /// Tells what is wrong with a value, each with its place; empty where it has this form.
    func faults(of value: Any?, at place: String = "$") -> [String] {
        switch (self, value) {
        case (.optional, nil), (.any, _): return []
        case (.optional(let form), _): return form.faults(of: value, at: place)
        case (_, nil): return ["\(place) is absent"]
        case (.text, is String): return []
        case (.oneOf(let words), let word as String) where words.contains(word): return []
        case (.date, let text as String):
            let isDate = (try? Date(text, strategy: .iso8601)) != nil && text.hasSuffix("Z")
            return isDate ? [] : ["\(place) is no date: \(text)"]
        case (.flag, let number as NSNumber) where isFlag(number): return []
        case (.number, let number as NSNumber) where !isFlag(number): return []
        case (.whole, let number as NSNumber)
        where !isFlag(number) && number.doubleValue.rounded() == number.doubleValue:
            return []
        case (.list(let form), let values as [Any]):
            return values.enumerated().flatMap { form.faults(of: $1, at: "\(place)[\($0)]") }
        case (.object(let forms), let values as [String: Any]):
            let unknown = values.keys.filter { forms[$0] == nil }.map { "\(place).\($0) is not described" }
            return unknown + forms.flatMap { $1.faults(of: values[$0], at: "\(place).\($0)") }
        default: return ["\(place) is of another kind: \(value ?? "nothing")"]
        }
    }

    /// Every key of this form.
    var keys: Set<String> {
        switch self {
        case .object(let forms): Set(forms.keys).union(forms.values.flatMap(\.keys))
        case .list(let form), .optional(let form): form.keys
        default: []
        }
    }

    private func isFlag(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
