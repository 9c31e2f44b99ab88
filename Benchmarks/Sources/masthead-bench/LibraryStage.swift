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

    /// Sets it up.
    init() throws(BenchError) {
        programs = try Programs.folder()
        // Not in memory: what a disk costs is part of it.
        workspace = try Workspace(in: [programs])
    }

    func canRun(_ side: Scenario.Side, of scenario: Scenario) -> Bool { scenario.parts[side] != nil }

    func run(_ part: Scenario.Part, as side: Scenario.Side, of scenario: Scenario) throws(BenchError) -> SideResult {
        guard case .library(let task) = part.task else { throw BenchError("\(scenario.name): no task of this area") }
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
        sync()
        let result = try Programs.result(of: ["\(programs)/\(part.program)"] + workload.arguments)
        if task.isInserting { try check(folder, scenario.entries, isIndexed: task == .insertIndexed) }
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
    private func check(_ folder: String, _ entries: Int, isIndexed: Bool) throws(BenchError) {
        let check = LibraryWorkload(
            task: isIndexed ? .checkIndexed : .check,
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
