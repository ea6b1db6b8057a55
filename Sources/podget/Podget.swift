@main
struct Podget {
    static func main() {}
}
