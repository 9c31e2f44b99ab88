/// One coding being undone, piece by piece, by the library that knows it.
protocol CodedStream: AnyObject {
    /// Reads from the front of `input` and writes to the front of `output`, as much as it can of either.
    ///
    /// Called with an empty input only if the output before was filled: then there may be more.
    ///
    /// - Returns: How many bytes were read and written; neither only if there is nothing to do.
    /// - Throws: `corruptBody` if the bytes are damaged or not of this coding.
    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(TransportError) -> (read: Int, written: Int)

    /// Whether the body may end here.
    var isWhole: Bool { get }
}
