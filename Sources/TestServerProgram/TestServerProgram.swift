import Glibc
import TestServer

/// Runs the test server by hand: `swift run testserver [PORT]`.
@main
struct TestServerProgram {
    static let help = """
        A server that misbehaves as told. Ask for any path, with the faults in the query:

          bytes=N          size of the body (default 1000000)
          type=T           content type (default audio/mpeg)
          status=N         answer with this status        retry-after=TEXT
          location=URL     with status=301, 302, 307, 308
          etag=TEXT        strong validator               weak-etag=TEXT
          tear=N           close after N body bytes       stall=N   stop sending after N body bytes
          tears=K          … only for the first K requests of the path
          rate=N           bytes per second
          framing=F        length, chunked, cut-chunks, close
          ranges=R         honoured, ignored, refused, multipart, without-content-range

        """

    static func main() async {
        let port = CommandLine.arguments.dropFirst().first
        guard let number = UInt16(port ?? "8080"), let server = try? DummyServer(port: number) else {
            say("testserver: cannot listen on port \(port ?? "8080")\n\n\(help)", to: STDERR_FILENO)
            exit(2)
        }
        server.serveScripts()
        say("listening on \(server.url("/"))\n\n\(help)", to: STDOUT_FILENO)
        var shown = 0
        while true {
            await server.waitForRequests(shown + 1)
            for request in server.requests[shown...] {
                say("\(request.method) \(request.target) \(request.range ?? "")\n", to: STDOUT_FILENO)
                shown += 1
            }
        }
    }

    /// Writes without a buffer, so that each request shows at once, also through a pipe.
    static func say(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        // A reader that has left is no reason to stop serving.
        _ = write(descriptor, bytes, bytes.count)
    }
}
