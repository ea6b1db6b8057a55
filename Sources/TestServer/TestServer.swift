public struct TestServer {}
