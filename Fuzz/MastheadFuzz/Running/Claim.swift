/// Ends the process unless the condition holds, so that libFuzzer keeps the input.
func claim(
    _ condition: @autoclosure () throws -> Bool,
    _ what: @autoclosure () -> String,
    file: StaticString = #file,
    line: UInt = #line
) rethrows {
    if try !condition() { fatalError("does not hold: \(what())", file: file, line: line) }
}
