import MastheadLock

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The one thread that learns from the system what happens in folders, for all databases of the process.
///
/// It starts with the first watch and ends with the last.
final class FolderWatcher: Sendable {
    static let shared = FolderWatcher()

    private struct Watch {
        let folder: Int32
        let path: String
        let names: Set<String>
        /// Whether nothing need be told of what is written.
        var isQuiet = false
        let onEvent: @Sendable (FolderWatch.Event) -> Void
    }

    private struct State {
        var watches: [Int: Watch] = [:]
        var nextID = 0
        /// While the thread runs.
        var descriptors: Descriptors?

        func watches(of folder: Int32) -> [Watch] { watches.values.filter { $0.folder == folder } }

        func isQuiet(_ folder: Int32) -> Bool { watches.values.contains { $0.folder == folder && $0.isQuiet } }
    }

    private struct Descriptors {
        let events: Int32
        /// The two ends of a pipe, by which the thread is woken.
        let woken: Int32
        let wake: Int32

        func close() {
            for descriptor in [events, woken, wake] where descriptor >= 0 { closeDescriptor(descriptor) }
        }
    }

    private let state = Lock(State())

    func add(
        folder: String,
        names: Set<String>,
        onEvent: @escaping @Sendable (FolderWatch.Event) -> Void
    ) throws(DatabaseError) -> Int {
        try state.withLock { (state) throws(DatabaseError) in
            if state.descriptors == nil { state.descriptors = try start() }
            guard let events = state.descriptors?.events else { throw .noThread }
            let descriptor = inotify_add_watch(events, folder, Self.mask(isQuiet: false))
            guard descriptor >= 0 else {
                let code = errno
                if state.watches.isEmpty { wake(state) }
                throw .cannotOpen(reason: "the folder cannot be watched: errno \(code)")
            }
            // All hear again for one who is new, and are no worse off.
            defer { state.nextID += 1 }
            state.watches[state.nextID] = Watch(folder: descriptor, path: folder, names: names, onEvent: onEvent)
            return state.nextID
        }
    }

    func remove(_ id: Int) {
        setQuiet(id, false)
        state.withLock { state in
            guard let watch = state.watches.removeValue(forKey: id), let events = state.descriptors?.events else {
                return
            }
            if state.watches(of: watch.folder).isEmpty { inotify_rm_watch(events, watch.folder) }
            if state.watches.isEmpty { wake(state) }
        }
    }

    /// Says whether anything need be told of what is written to the files of a watch.
    ///
    /// While it need not, those who watch others of the folder hear nothing of that either, since it is the folder that is
    /// watched. When the last one hears again, all are told that something may have been written.
    func setQuiet(_ id: Int, _ isQuiet: Bool) {
        let missed = state.withLock { state -> [Watch] in
            guard let watch = state.watches[id], watch.isQuiet != isQuiet, let events = state.descriptors?.events
            else { return [] }
            let was = state.isQuiet(watch.folder)
            state.watches[id]?.isQuiet = isQuiet
            let isNow = state.isQuiet(watch.folder)
            guard was != isNow else { return [] }
            let folder = inotify_add_watch(events, watch.path, Self.mask(isQuiet: isNow))
            // Another folder may be there by now: whoever watched the one that was is told that it is gone.
            if folder >= 0, state.watches(of: folder).isEmpty { inotify_rm_watch(events, folder) }
            return isNow ? [] : state.watches(of: watch.folder)
        }
        for watch in missed { watch.onEvent(.touched) }
    }

    private static func mask(isQuiet: Bool) -> UInt32 {
        let changes = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
        return UInt32(changes) | UInt32(IN_ONLYDIR) | (isQuiet ? 0 : UInt32(IN_MODIFY))
    }

    /// Whether the thread runs.
    var isRunning: Bool { state.withLock { $0.descriptors != nil } }

    // MARK: The thread

    private func start() throws(DatabaseError) -> Descriptors {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let descriptors = Descriptors(events: inotify_init(), woken: ends[0], wake: ends[1])
        for descriptor in [descriptors.events, descriptors.woken, descriptors.wake] where descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        let hasStarted =
            descriptors.events >= 0 && descriptors.woken >= 0
            && OwnThread.start(isPatient: true) { self.run(descriptors) }
        guard hasStarted else {
            descriptors.close()
            throw .cannotOpen(reason: "no folder can be watched")
        }
        return descriptors
    }

    private func wake(_ state: State) {
        var byte: UInt8 = 1
        // A full pipe wakes just as well.
        if let wake = state.descriptors?.wake { _ = write(wake, &byte, 1) }
    }

    private func run(_ descriptors: Descriptors) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 8)
        defer { buffer.deallocate() }
        var pause: Int32 = 0
        while !endIfIdle() {
            var sources = [descriptors.events, descriptors.woken].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&sources, 2, -1)
            _ = read(descriptors.woken, buffer.baseAddress, buffer.count)
            let count = read(descriptors.events, buffer.baseAddress, buffer.count)
            guard count > 0 else { continue }
            let events = FolderEvent.all(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            for (onEvent, event) in deliveries(of: events) { onEvent(event) }
            pause = rest(descriptors, after: pause)
        }
    }

    /// Lets events come together for a moment, unless a watch is over; for longer while there always are some.
    ///
    /// Each write to a file is one, our own too: who writes much must not be interrupted by each of them.
    ///
    /// - Returns: How long it was, in milliseconds; 0 if nothing came meanwhile.
    private func rest(_ descriptors: Descriptors, after last: Int32) -> Int32 {
        let pause = min(max(10, last * 2), 80)
        var source = pollfd(fd: descriptors.woken, events: Int16(POLLIN), revents: 0)
        poll(&source, 1, pause)
        source = pollfd(fd: descriptors.events, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) > 0 ? pause : 0
    }

    /// Ends the thread when nobody watches any longer.
    private func endIfIdle() -> Bool {
        state.withLock { state in
            guard state.watches.isEmpty else { return false }
            state.descriptors?.close()
            state.descriptors = nil
            return true
        }
    }

    /// Who is to be told what: each of one batch once.
    private func deliveries(
        of events: [FolderEvent]
    ) -> [(@Sendable (FolderWatch.Event) -> Void, FolderWatch.Event)] {
        state.withLock { state in
            state.watches.values.compactMap { watch in
                let own = events.filter { $0.folder == watch.folder }
                if own.contains(where: \.isEnd) { return (watch.onEvent, .gone) }
                let isTouched = events.contains(where: \.isOverflow) || own.contains { watch.names.contains($0.name) }
                return isTouched ? (watch.onEvent, .touched) : nil
            }
        }
    }
}

/// Under a name that a method called `close` does not hide.
private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
