/// How listeners' payments are split among the people behind a feed.
public struct PaymentValue: Sendable, Equatable {
    public var type: String?
    public var method: String?
    public var suggested: String?
    public var recipients: [Recipient] = []

    public init(
        type: String? = nil, method: String? = nil, suggested: String? = nil, recipients: [Recipient] = []
    ) {
        self.type = type
        self.method = method
        self.suggested = suggested
        self.recipients = recipients
    }

    /// One of those who share a payment.
    public struct Recipient: Sendable, Equatable, Encodable {
        public var name: String?
        public var type: String?
        public var address: String?
        /// The number of shares, out of the sum of all recipients' shares.
        public var split: Int?
        public var fee: Bool?
        public var customKey: String?
        public var customValue: String?

        public init(
            name: String? = nil, type: String? = nil, address: String? = nil, split: Int? = nil,
            fee: Bool? = nil, customKey: String? = nil, customValue: String? = nil
        ) {
            self.name = name
            self.type = type
            self.address = address
            self.split = split
            self.fee = fee
            self.customKey = customKey
            self.customValue = customValue
        }
    }
}

extension PaymentValue: Encodable {
    enum CodingKeys: CodingKey {
        case type, method, suggested, recipients
    }

    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encodeIfPresent(type, forKey: .type)
        try object.encodeIfPresent(method, forKey: .method)
        try object.encodeIfPresent(suggested, forKey: .suggested)
        try object.encodeUnlessEmpty(recipients, forKey: .recipients)
    }
}
