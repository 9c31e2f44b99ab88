import MastheadNetworking

/// Runs an operation for each input, a few at a time, and gives what they return in the order of the inputs.
///
/// The first failure ends the whole: what is under way is cancelled, and the rest never starts.
func fanOut<Input: Sendable, Output: Sendable>(
    over inputs: [Input],
    atOnce limit: Int = 4,
    _ operation: @escaping @Sendable (Input) async -> Result<Output, RepositoryError>
) async -> Result<[Output], RepositoryError> {
    await withTaskGroup(of: (Int, Result<Output, RepositoryError>).self) { group in
        var outputs = [Output?](repeating: nil, count: inputs.count)
        var started = 0
        while started < Swift.min(limit, inputs.count) {
            let index = started
            group.addTask { (index, await operation(inputs[index])) }
            started += 1
        }
        while let (index, result) = await group.next() {
            switch result {
            case .success(let output): outputs[index] = output
            case .failure(let error):
                group.cancelAll()
                return .failure(error)
            }
            if started < inputs.count {
                let index = started
                group.addTask { (index, await operation(inputs[index])) }
                started += 1
            }
        }
        return .success(outputs.compactMap { $0 })
    }
}
