import FoundationEssentials
import Glibc

/// The target of this run, named by the environment, since libFuzzer keeps the arguments to itself.
private let target: @Sendable (UnsafeRawBufferPointer) -> Void = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    if let target = targets[name] { return target }
    print("FUZZ_TARGET must be one of \(targets.keys.sorted().joined(separator: ", "))")
    exit(2)
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
    target(UnsafeRawBufferPointer(start: start, count: byteCount))
    return 0
}
