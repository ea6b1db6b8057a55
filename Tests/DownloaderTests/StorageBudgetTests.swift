import Downloader
import Testing

@Suite
struct StorageBudgetTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let expected: ExpectedSize
        var onDisk: Int64 = 0
        let budget: StorageBudget
        let admission: Admission
    }

    @Test(arguments: [
        Case(
            testDescription: "fits", expected: .exact(100),
            budget: StorageBudget(used: 0, free: 200, reserve: 100),
            admission: .accepted),
        Case(
            testDescription: "one byte into the reserve", expected: .exact(101),
            budget: StorageBudget(used: 0, free: 200, reserve: 100), admission: .noSpace(missing: 1)),
        Case(
            testDescription: "the partial's bytes are paid for", expected: .exact(150), onDisk: 50,
            budget: StorageBudget(used: 0, free: 200, reserve: 100), admission: .accepted),
        Case(
            testDescription: "an estimate counts too", expected: .estimated(300),
            budget: StorageBudget(used: 0, free: 200, reserve: 100), admission: .noSpace(missing: 200)),
        Case(
            testDescription: "unknown size, reserve free", expected: .unknown,
            budget: StorageBudget(used: 0, free: 100, reserve: 100), admission: .accepted),
        Case(
            testDescription: "unknown size, reserve in use", expected: .unknown,
            budget: StorageBudget(used: 0, free: 60, reserve: 100), admission: .noSpace(missing: 40)),
        Case(
            testDescription: "known size, reserve in use", expected: .exact(30),
            budget: StorageBudget(used: 0, free: 60, reserve: 100), admission: .noSpace(missing: 70)),
        Case(
            testDescription: "over the limit", expected: .exact(60),
            budget: StorageBudget(limit: 100, used: 50, free: 1000, reserve: 0),
            admission: .overLimit(missing: 10)),
        Case(
            testDescription: "up to the limit", expected: .exact(50),
            budget: StorageBudget(limit: 100, used: 50, free: 1000, reserve: 0), admission: .accepted),
        Case(
            testDescription: "a nonsense size does not overflow", expected: .estimated(.max),
            budget: StorageBudget(limit: 100, used: 50, free: 1000, reserve: 0),
            admission: .overLimit(missing: .max)),
        Case(
            testDescription: "a negative size is a hint of nothing", expected: .estimated(-5),
            budget: StorageBudget(limit: 100, used: 50, free: 1000, reserve: 0), admission: .accepted),
    ])
    func `space is there before a transfer begins`(_ test: Case) {
        #expect(
            decideAdmission(expected: test.expected, alreadyOnDisk: test.onDisk, budget: test.budget)
                == test.admission)
    }
}
