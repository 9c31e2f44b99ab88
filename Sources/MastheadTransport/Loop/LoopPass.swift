/// Which of its passes over every transfer a loop is in: touched by the loop's thread alone.
final class LoopPass {
    var number: UInt64 = 0
}
