@main
struct TestServerProgram {
    static func main() {}
}
