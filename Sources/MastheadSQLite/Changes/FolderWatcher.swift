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
        /// Which folder is watched, whatever is at its path by now.
        let identity: DatabaseFile.Identity?
        let names: Set<String>
        let onEvent: @Sendable (FolderWatch.Event) -> Void
        /// Leads to the folder while nothing need be told of what is written, else -1: one that is open does not end.
        var place: Int32 = -1
        var isQuiet: Bool { place >= 0 }
        /// Whether something may have been written that was not told.
        var hasMissed = false
    }

    private struct State {
        var watches: [Int: Watch] = [:]
        var nextID = 0
        /// While the thread runs.
        var descriptors: Descriptors?

        /// Whether some may hear nothing because of others.
        var isSomeoneQuiet: Bool { watches.values.contains(where: \.isQuiet) }

        /// Whether nothing is told of what is written in a folder.
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
            let identity = DatabaseFile.identity(of: folder)
            let descriptor = inotify_add_watch(events, folder, Self.mask(isQuiet: false))
            guard descriptor >= 0 else {
                let code = errno
                if state.watches.isEmpty { wake(state) }
                throw .cannotOpen(reason: "the folder cannot be watched: errno \(code)")
            }
            defer { state.nextID += 1 }
            state.watches[state.nextID] = Watch(
                folder: descriptor,
                path: folder,
                identity: identity,
                names: names,
                onEvent: onEvent
            )
            return state.nextID
        }
    }

    func remove(_ id: Int) {
        state.withLock { state in
            hearAgain(id, &state)
            guard let watch = state.watches.removeValue(forKey: id), let events = state.descriptors?.events else {
                return
            }
            if !state.watches.values.contains(where: { $0.folder == watch.folder }) {
                inotify_rm_watch(events, watch.folder)
            }
            if state.watches.isEmpty { wake(state) }
        }
    }

    /// Says whether anything need be told of what is written to the files of a watch.
    ///
    /// While it need not, others who watch files of the same folder hear nothing either, since it is the folder that is
    /// watched: they are told now and then that something may have been written, and so is the watch itself afterwards.
    func setQuiet(_ id: Int, _ isQuiet: Bool) {
        state.withLock { isQuiet ? becomeQuiet(id, &$0) : hearAgain(id, &$0) }
    }

    private func becomeQuiet(_ id: Int, _ state: inout State) {
        guard let watch = state.watches[id], !watch.isQuiet else { return }
        let place = open(watch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { return }
        // Another folder is there by now, or what is heard cannot be changed: then all is.
        guard let identity = watch.identity, DatabaseFile.identity(of: place) == identity,
            state.isQuiet(watch.folder) || setMask(of: watch.folder, place, isQuiet: true, state)
        else {
            closeDescriptor(place)
            return
        }
        state.watches[id]?.place = place
        wake(state)
    }

    private func hearAgain(_ id: Int, _ state: inout State) {
        guard let watch = state.watches[id], watch.isQuiet else { return }
        state.watches[id]?.place = -1
        if !state.isQuiet(watch.folder), !setMask(of: watch.folder, watch.place, isQuiet: false, state),
            let events = state.descriptors?.events
        {
            // All are told that the folder is gone, and watch it anew when they open their files again.
            inotify_rm_watch(events, watch.folder)
        }
        closeDescriptor(watch.place)
        for (id, other) in state.watches where other.folder == watch.folder && !other.isQuiet {
            state.watches[id]?.hasMissed = true
        }
        wake(state)
    }

    /// - Returns: Whether the folder is watched so from now on.
    private func setMask(of folder: Int32, _ place: Int32, isQuiet: Bool, _ state: State) -> Bool {
        guard let events = state.descriptors?.events else { return false }
        let result = inotify_add_watch(events, "/proc/self/fd/\(place)", Self.mask(isQuiet: isQuiet))
        // A watch that has ended is not begun again.
        if result >= 0, result != folder { inotify_rm_watch(events, result) }
        return result == folder
    }

    private static func mask(isQuiet: Bool) -> UInt32 {
        let changes = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
        return UInt32(changes) | UInt32(IN_ONLYDIR) | (isQuiet ? 0 : UInt32(IN_MODIFY))
    }

    /// After how long those are told who hear nothing because of others, in milliseconds.
    private static let patience: Int64 = 250

    private static var now: Int64 { FileSight.milliseconds(CLOCK_MONOTONIC) }

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
        // When those were told last who hear nothing because of others: however much happens elsewhere meanwhile.
        var lastTold = Self.now
        while !endIfIdle() {
            var sources = [descriptors.events, descriptors.woken].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let isSomeoneQuiet = state.withLock(\.isSomeoneQuiet)
            let left = Int32(clamping: max(0, lastTold + Self.patience - Self.now))
            poll(&sources, 2, isSomeoneQuiet ? left : -1)
            let isLate = isSomeoneQuiet && Self.now - lastTold >= Self.patience
            if isLate || !isSomeoneQuiet { lastTold = Self.now }
            _ = read(descriptors.woken, buffer.baseAddress, buffer.count)
            let count = max(0, read(descriptors.events, buffer.baseAddress, buffer.count))
            let events = FolderEvent.all(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            for (onEvent, event) in deliveries(of: events, isLate: isLate) { onEvent(event) }
            if count > 0 { pause = rest(descriptors, after: pause) }
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
    ///
    /// - Parameters:
    ///   - events: What has happened.
    ///   - isLate: Whether it is time to tell those who hear nothing because of others.
    /// - Returns: What to call, and with what.
    private func deliveries(
        of events: [FolderEvent],
        isLate: Bool
    ) -> [(@Sendable (FolderWatch.Event) -> Void, FolderWatch.Event)] {
        state.withLock { state in
            state.watches.compactMap { id, watch in
                let own = events.filter { $0.folder == watch.folder }
                state.watches[id]?.hasMissed = false
                if own.contains(where: \.isEnd) { return (watch.onEvent, .gone) }
                let isTouched =
                    watch.hasMissed || events.contains(where: \.isOverflow)
                    || own.contains { watch.names.contains($0.name) }
                    || isLate && !watch.isQuiet && state.isQuiet(watch.folder)
                return isTouched ? (watch.onEvent, .touched) : nil
            }
        }
    }
}

/// Under a name that a method called `close` does not hide.
private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
