// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "DownloadBenchmark",
    dependencies: [.package(name: "podget", path: "../..")],
    targets: [
        .executableTarget(
            name: "DownloadBenchmark", dependencies: [.product(name: "Downloader", package: "podget")])
    ],
    swiftLanguageModes: [.v6]
)
