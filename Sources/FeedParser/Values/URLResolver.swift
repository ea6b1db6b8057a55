/// Resolves the references of a document against its base address.
struct URLResolver {
    let base: String?
}
