import BenchmarkSide
import Foundation
import Glibc

/// What the scenarios of `cache` are run on: folders on the disk that the build is on, and files with entries.
final class CacheStage: Stage {
    private let workspace: Workspace
    private let programs: String
    private let bodyBytes: Int
    /// The folders with entries that others have a copy of, by how many entries there are.
    private var filled: [Int: String] = [:]
    /// How many transactions our side made of a scenario's work.
    private var commits: [String: Int] = [:]
    private var number = 0

    /// Sets it up.
    init() throws(BenchError) {
        programs = try Programs.folder()
        // Not in memory: what a disk costs is part of it.
        workspace = try Workspace(in: [programs])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            bodyBytes = try encoder.encode(Article.long(0)).count
        } catch {
            throw BenchError("an article: \(error)")
        }
    }

    func canRun(_ side: Scenario.Side, of scenario: Scenario) -> Bool { scenario.parts[side] != nil }

    func run(_ part: Scenario.Part, as side: Scenario.Side, of scenario: Scenario) throws(BenchError) -> SideResult {
        guard case .cache(let task) = part.task else { throw BenchError("\(scenario.name): no task of this area") }
        let folder = try folder(for: task, scenario)
        defer { if !filled.values.contains(folder) { try? FileManager.default.removeItem(atPath: folder) } }
        let isOurs = part.program == "bench-cache-ours"
        let workload = CacheWorkload(
            task: task,
            place: isOurs ? folder : try file(in: folder, isNew: task.startsEmpty),
            count: part.requests,
            entries: scenario.entries,
            bodyBytes: bodyBytes,
            commits: task == .set ? commits[scenario.name] ?? 1 : 1
        )
        // What the side before has left for the disk to do is not this one's matter.
        sync()
        Processors.wake()
        let result = try Programs.result(of: ["\(programs)/\(part.program)"] + workload.arguments)
        if side == .ours { commits[scenario.name] = result.commits.map { max(1, $0) } }
        try check(workload, folder)
        return result
    }

    /// The folder to work in: empty, with a copy of the entries, or, for those that write nothing of theirs, with the entries.
    private func folder(for task: CacheWorkload.Task, _ scenario: Scenario) throws(BenchError) -> String {
        if task == .open { return try entries(scenario.entries) }
        let folder = try newFolder()
        guard !task.startsEmpty else { return folder }
        let origin = try entries(scenario.entries)
        let file = try file(in: origin, isNew: false)
        do {
            try FileManager.default.copyItem(
                atPath: file,
                toPath: "\(folder)/\(URL(fileURLWithPath: file).lastPathComponent)"
            )
        } catch {
            throw BenchError("\(file): \(error)")
        }
        return folder
    }

    /// The folder with so many entries, which our side makes once.
    private func entries(_ count: Int) throws(BenchError) -> String {
        if let folder = filled[count] { return folder }
        let folder = try newFolder()
        let workload = CacheWorkload(task: .fill, place: folder, count: 1, entries: count, bodyBytes: bodyBytes)
        Progress.say("keeping \(count) entries")
        _ = try Programs.result(of: ["\(programs)/bench-cache-ours"] + workload.arguments)
        try check(workload, folder)
        filled[count] = folder
        return folder
    }

    private func newFolder() throws(BenchError) -> String {
        number += 1
        let folder = "\(workspace.path)/\(number)"
        guard mkdir(folder, 0o700) == 0 else { throw BenchError("\(folder): \(String(cString: strerror(errno)))") }
        return folder
    }

    /// The one file of a cache, or the one that the floor is to make.
    private func file(in folder: String, isNew: Bool) throws(BenchError) -> String {
        guard !isNew else { return "\(folder)/floor.cache" }
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { $0.hasSuffix(".cache") } ?? []
        guard names.count == 1 else { throw BenchError("\(folder): \(names.count) files of a cache") }
        return "\(folder)/\(names[0])"
    }

    /// Sees that a side that kept entries has kept them all.
    private func check(_ workload: CacheWorkload, _ folder: String) throws(BenchError) {
        let count: Int
        switch workload.task {
        case .set: count = workload.count
        case .fill, .insert: count = workload.entries
        default: return
        }
        let file = try file(in: folder, isNew: false)
        let check = CacheWorkload(task: .check, place: file, count: 1, entries: count, bodyBytes: workload.bodyBytes)
        _ = try Command.run(["\(programs)/bench-cache-floor"] + check.arguments, seconds: 120)
    }
}

extension CacheWorkload.Task {
    /// Whether nothing is kept at its start.
    fileprivate var startsEmpty: Bool {
        switch self {
        case .fill, .set, .insert, .revalidate, .refetch: true
        case .memory, .read, .get, .readers, .open, .check: false
        }
    }
}
