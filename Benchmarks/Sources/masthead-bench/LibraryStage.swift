import BenchmarkSide
import Foundation
import Glibc

/// What the scenarios of `library` are run on: libraries on the disk that the build is on, made by our side, so that both
/// sides have the schema that its migrations lead to.
final class LibraryStage: Stage {
    private let workspace: Workspace
    private let programs: String
    /// The folders that others have a copy of, by what was done there and to how many articles.
    private var originals: [String: String] = [:]
    private var number = 0
    private var server: CatalogueServer?

    /// Sets it up.
    init() throws(BenchError) {
        programs = try Programs.folder()
        // Not in memory: what a disk costs is part of it.
        workspace = try Workspace(in: [programs])
    }

    func canRun(_ side: Scenario.Side, of scenario: Scenario) -> Bool { scenario.parts[side] != nil }

    func run(_ part: Scenario.Part, as side: Scenario.Side, of scenario: Scenario) throws(BenchError) -> SideResult {
        guard case .library(let task) = part.task else { throw BenchError("\(scenario.name): no task of this area") }
        if task == .sync || task == .deltaSync { return try sync(part, task, as: side, scenario) }
        let origin = try original(task.isInserting ? .make : .fill, task.isInserting ? 1 : scenario.entries)
        let folder = task.isChanging ? try copy(of: origin) : origin
        defer { if task.isChanging { try? FileManager.default.removeItem(atPath: folder) } }
        let workload = LibraryWorkload(
            task: task,
            place: side == .ours ? folder : file(in: folder),
            count: part.requests,
            entries: scenario.entries
        )
        // What the side before has left for the disk to do is not this one's matter.
        Glibc.sync()
        let result = try Programs.result(of: ["\(programs)/\(part.program)"] + workload.arguments)
        if task.isInserting { try check(folder, scenario.entries, task == .insert ? .check : .checkIndexed) }
        return result
    }

    /// Brings everything from a server into a library of the side's own, made by our side for both.
    private func sync(
        _ part: Scenario.Part,
        _ task: LibraryWorkload.Task,
        as side: Scenario.Side,
        _ scenario: Scenario
    ) throws(BenchError) -> SideResult {
        let server: CatalogueServer
        if let known = self.server {
            server = known
        } else {
            Progress.say("writing the answers of a catalogue")
            server = try CatalogueServer(programs: programs, folder: "\(workspace.path)/catalogue")
        }
        self.server = server
        let folder = try copy(of: original(.makeEmpty, 1))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let workload = LibraryWorkload(
            task: task,
            place: side == .ours ? folder : file(in: folder),
            count: part.requests,
            entries: scenario.entries,
            source: "http://127.0.0.1:\(server.port)"
        )
        Glibc.sync()
        let result = try Programs.result(of: ["\(programs)/\(part.program)"] + workload.arguments)
        if task == .sync { try check(folder, scenario.entries, .checkSync) }
        return result
    }

    /// The folder that our side makes once.
    private func original(_ task: LibraryWorkload.Task, _ entries: Int) throws(BenchError) -> String {
        let name = "\(task.rawValue)-\(entries)"
        if let folder = originals[name] { return folder }
        let folder = "\(workspace.path)/\(name)"
        let workload = LibraryWorkload(task: task, place: folder, count: 1, entries: entries)
        if task == .fill { Progress.say("filling a library with \(entries) articles") }
        _ = try Programs.result(of: ["\(programs)/bench-library-ours"] + workload.arguments)
        originals[name] = folder
        return folder
    }

    /// A new folder with the same in it.
    private func copy(of folder: String) throws(BenchError) -> String {
        number += 1
        let copy = "\(workspace.path)/\(number)"
        do {
            try FileManager.default.copyItem(atPath: folder, toPath: copy)
        } catch {
            throw BenchError("\(folder): \(error)")
        }
        return copy
    }

    private func file(in folder: String) -> String { "\(folder)/library.db" }

    /// Sees that a side has saved all articles.
    private func check(_ folder: String, _ entries: Int, _ task: LibraryWorkload.Task) throws(BenchError) {
        let check = LibraryWorkload(
            task: task,
            place: file(in: folder),
            count: 1,
            entries: entries
        )
        _ = try Command.run(["\(programs)/bench-library-floor"] + check.arguments, seconds: 120)
    }
}

extension LibraryWorkload.Task {
    /// Whether it begins without articles.
    fileprivate var isInserting: Bool { self == .insert || self == .insertIndexed }

    /// Whether the library is another one afterwards.
    fileprivate var isChanging: Bool { isInserting || self == .readers || self == .observe }
}
