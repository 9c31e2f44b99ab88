import Foundation
import Glibc

/// The machine's processors, of which some virtual machines give programs fewer than they need until they have seen that.
enum Processors {
    /// Has all of them at work, so that what is measured next finds them all, whichever side it is.
    ///
    /// A system that packs what runs onto few processors lets two threads share one for seconds while another has nothing
    /// to do, and which run that happens to is chance. Once it has seen more threads at work than it has processors, it
    /// spreads those that come next as well.
    static func wake() {
        let count = ProcessInfo.processInfo.activeProcessorCount
        guard count > 1 else { return }
        for _ in 0..<10 where !areSpread(count) { spin(2 * count, milliseconds: 200) }
        if !areSpread(count) { Progress.say("\(count) threads do not get \(count) processors here") }
    }

    /// Whether as many threads as there are processors get on as fast as one of them.
    private static func areSpread(_ count: Int) -> Bool {
        let clock = ContinuousClock()
        return clock.measure { spin(count, milliseconds: 40) } < .milliseconds(55)
    }

    /// Has threads work for so long, counted by each on its own.
    private static func spin(_ count: Int, milliseconds: Int) {
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            Thread.detachNewThread {
                let end = threadTime + Double(milliseconds) / 1000
                while threadTime < end {}
                group.leave()
            }
        }
        group.wait()
    }

    /// The processor time of this thread, in seconds.
    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
