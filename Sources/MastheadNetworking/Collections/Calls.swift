/// Makes a call for each of many inputs, some at a time.
///
/// ```swift
/// let all = await Calls.all(ids, atOnce: 4) { await notes.note($0) }  // Result<[Comment], RepositoryError>
/// let each = await Calls.settled(ids, atOnce: 4) { await notes.note($0) }  // [Result<Comment, RepositoryError>]
/// let fastest = await Calls.first(mirrors) { await $0.note(7) }  // Result<Comment, FailedCalls>
/// ```
///
/// No more tasks exist than calls are under way, however many inputs there are. All of them are over when the function
/// returns. Cancelling the task that waits cancels them, and makes no further one.
///
/// They stand in a type of their own because a repository may well have a method `all` or `first`, which would hide a
/// function of that name from it.
public enum Calls {
    /// Every value, in the order of the inputs; the first failure cancels the rest.
    ///
    /// - Parameters:
    ///   - inputs: What a call is made for each of.
    ///   - limit: How many calls may be under way; at least 1.
    ///   - call: Makes the call.
    /// - Returns: The values; or the failure that came first, ``RepositoryError/cancelled`` if not all calls were made.
    @concurrent
    public static func all<Inputs: Sequence & Sendable, Output: Sendable>(
        _ inputs: Inputs,
        atOnce limit: Int = 4,
        _ call: @escaping @Sendable (Inputs.Element) async -> Result<Output, RepositoryError>
    ) async -> Result<[Output], RepositoryError> where Inputs.Element: Sendable {
        var failure: RepositoryError?
        let outputs: [Output?] = await run(inputs, atOnce: limit, call, otherwise: nil) { result in
            switch result {
            case .success(let output): return (output, false)
            case .failure(let error):
                failure = failure ?? error
                return (nil, true)
            }
        }
        if let failure { return .failure(failure) }
        let values = outputs.compactMap { $0 }
        return values.count == outputs.count ? .success(values) : .failure(.cancelled)
    }

    /// Every result, in the order of the inputs; a failure does not keep the others from coming.
    ///
    /// - Parameters:
    ///   - inputs: What a call is made for each of.
    ///   - limit: How many calls may be under way; at least 1.
    ///   - call: Makes the call.
    /// - Returns: A result for each input; ``RepositoryError/cancelled`` for a call that was not made any more.
    @concurrent
    public static func settled<Inputs: Sequence & Sendable, Output: Sendable>(
        _ inputs: Inputs,
        atOnce limit: Int = 4,
        _ call: @escaping @Sendable (Inputs.Element) async -> Result<Output, RepositoryError>
    ) async -> [Result<Output, RepositoryError>] where Inputs.Element: Sendable {
        await run(inputs, atOnce: limit, call, otherwise: .failure(.cancelled)) { ($0, false) }
    }

    /// The first success, whichever call it is of; it cancels the rest.
    ///
    /// With a limit of 1 the calls are made one after the other, until one succeeds.
    ///
    /// - Parameters:
    ///   - inputs: What a call is made for each of.
    ///   - limit: How many calls may be under way; at least 1.
    ///   - call: Makes the call.
    /// - Returns: The value; or, if every call failed, what each of them failed with.
    @concurrent
    public static func first<Inputs: Sequence & Sendable, Output: Sendable>(
        _ inputs: Inputs,
        atOnce limit: Int = 4,
        _ call: @escaping @Sendable (Inputs.Element) async -> Result<Output, RepositoryError>
    ) async -> Result<Output, FailedCalls> where Inputs.Element: Sendable {
        var winner: Output?
        let errors: [RepositoryError] = await run(inputs, atOnce: limit, call, otherwise: .cancelled) { result in
            switch result {
            case .success(let output):
                winner = winner ?? output
                return (.cancelled, true)
            case .failure(let error): return (error, false)
            }
        }
        return winner.map(Result.success) ?? .failure(FailedCalls(errors: errors))
    }

    /// Makes the calls, and keeps something of each result at its input's place.
    ///
    /// - Parameters:
    ///   - inputs: What a call is made for each of.
    ///   - limit: How many calls may be under way.
    ///   - call: Makes the call.
    ///   - missing: What stands for a call that was not made, or not taken in any more.
    ///   - take: What to keep of a result, and whether it ends the whole; asked for one at a time.
    /// - Returns: What was kept, in the order of the inputs; of those after the end, what they left unmade is not asked.
    private static func run<Inputs: Sequence & Sendable, Output: Sendable, Kept>(
        _ inputs: Inputs,
        atOnce limit: Int,
        _ call: @escaping @Sendable (Inputs.Element) async -> Result<Output, RepositoryError>,
        otherwise missing: Kept,
        _ take: (Result<Output, RepositoryError>) -> (kept: Kept, isEnd: Bool)
    ) async -> [Kept] where Inputs.Element: Sendable {
        await withTaskGroup(of: (Int, Result<Output, RepositoryError>).self) { group in
            var inputs = inputs.makeIterator()
            var kept: [Kept] = []
            var underWay = 0
            while true {
                while underWay < max(limit, 1), !Task.isCancelled, let input = inputs.next() {
                    let place = kept.count
                    kept.append(missing)
                    underWay += 1
                    group.addTask { (place, await call(input)) }
                }
                guard let (place, result) = await group.next() else { break }
                underWay -= 1
                let taken = take(result)
                kept[place] = taken.kept
                if taken.isEnd {
                    group.cancelAll()
                    return kept
                }
            }
            while inputs.next() != nil { kept.append(missing) }
            return kept
        }
    }
}
