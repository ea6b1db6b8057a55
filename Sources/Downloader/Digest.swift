internal import CCrypto

/// One hash being computed by libcrypto, which libcurl has loaded anyway.
struct Digest: ~Copyable {
    private let context: OpaquePointer
    private let byteCount: Int

    init(_ algorithm: DigestAlgorithm) throws(TransferError) {
        guard let context = EVP_MD_CTX_new() else { throw .loopUnavailable("libcrypto gave no context") }
        guard EVP_DigestInit_ex(context, algorithm.function, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw .loopUnavailable("libcrypto offers no \(algorithm)")
        }
        self.context = context
        byteCount = algorithm.byteCount
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Takes the first bytes of a buffer.
    func update(_ buffer: [UInt8], count: Int) throws(TransferError) {
        guard EVP_DigestUpdate(context, buffer, count) == 1 else {
            throw .loopUnavailable("libcrypto failed")
        }
    }

    consuming func finish() throws(TransferError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else {
            throw .loopUnavailable("libcrypto failed")
        }
        return digest
    }
}

extension DigestAlgorithm {
    /// libcrypto's description of the algorithm, which lives as long as the process.
    fileprivate var function: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }
}

/// Computes the digest of a whole file.
func digest(of file: PartFile, _ algorithm: DigestAlgorithm) throws(TransferError) -> [UInt8] {
    let digest = try Digest(algorithm)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset: Int64 = 0
    while true {
        let count = try file.read(at: offset, into: &buffer)
        if count == 0 { return try digest.finish() }
        try digest.update(buffer, count: count)
        offset += Int64(count)
    }
}
