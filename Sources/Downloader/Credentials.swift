/// A user name and a password for one host; never part of a text.
public struct Credentials: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    public var description: String { "(credentials)" }
    public var debugDescription: String { description }
}

extension Credentials: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: []) }
}
