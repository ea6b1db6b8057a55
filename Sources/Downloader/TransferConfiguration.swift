/// What holds for every transfer of one `TransferLoop`.
public struct TransferConfiguration: Sendable {
    public var userAgent = "podget"
    /// The certificates to trust instead of the system's, as a PEM file.
    public var caBundlePath: String?
    /// Whether `~/.netrc` may supply credentials for hosts that no request gives any for.
    public var usesNetrc = false
    public var maximumConnectionsPerHost = 8
    /// Open connections, those included that wait for another request to the same host.
    public var maximumConnections = 128
    /// How long name lookup, connection and TLS may take together.
    public var connectTimeout: Duration = .seconds(15)
    /// A transfer slower than this for `lowSpeedTime` counts as stalled.
    public var lowSpeedBytesPerSecond = 64
    public var lowSpeedTime: Duration = .seconds(30)
    public var maximumRedirects = 10
    /// Bytes per second shared by all downloads; nil for as fast as it goes.
    public var bandwidthLimit: Int64?
    public var retry = RetryPolicy()
    /// The shortest time between two progress events of one download.
    public var progressInterval: Duration = .milliseconds(250)
    /// The longest time between two syncs of a growing partial file: what a power cut can cost.
    public var syncInterval: Duration = .seconds(5)

    public init() {}
}

/// How often and how long a download tries again by itself.
public struct RetryPolicy: Sendable {
    /// Failures in a row without progress before the download gives up.
    public var failureLimit = 5
    /// New bytes that count as progress whatever the size of the file; for a small one its hundredth does.
    public var progressByteCount: Int64 = 64 << 10
    /// Requests in one call of `download`, however much each of them brings.
    public var requestLimit = 200
    public var firstDelay: Duration = .seconds(1)
    public var maximumDelay: Duration = .seconds(60)
    /// A server that asks for a longer wait than this ends the download with a temporary failure.
    public var retryAfterLimit: Duration = .seconds(600)
    /// The longest pause between two probes of a host that cannot be reached.
    public var maximumProbeDelay: Duration = .seconds(4)
    /// How long a probe may take to connect: with the pause, how late a host's return may be noticed.
    public var probeTimeout: Duration = .seconds(10)
    /// How long one loop waits for hosts to be reachable again, all of them together; a return begins it anew.
    public var networkPatience: Duration = .seconds(120)
    /// As `networkPatience`, for a host that has not answered once in this run.
    public var firstContactPatience: Duration = .seconds(30)

    /// How long to wait for a host, given whether it has answered in this run.
    func patience(hasAnswered: Bool) -> Duration {
        hasAnswered ? networkPatience : min(firstContactPatience, networkPatience)
    }

    public init() {}
}
