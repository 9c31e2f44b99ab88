import Foundation
import Testing

@Suite("masthead-demo --check", .timeLimit(.minutes(2)))
struct CheckTests {
    @Test("is content with the magazine as it is, and says so plainly")
    func passes() async throws {
        let outcome = try await Program.run(["--check"])

        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.hasSuffix("facts right\n"))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test("fails when the publisher is killed midway, and says what happened to it", arguments: Array(1...8) + [11])
    func publisherKilled(part: Int) async throws {
        let outcome = try await Program.run(["--check", "--step"]) { text in
            guard text.components(separatedBy: "(Return to go on)").count == part + 1,
                let pid = text.firstMatch(of: /pid ([0-9]+)/).flatMap({ pid_t($0.output.1) })
            else { return }
            kill(pid, SIGKILL)
        }

        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("is gone: it was ended by signal 9"), "\(outcome.output)")
        #expect(!outcome.output.contains("facts right"))
    }

    /// A place in the publisher's data, and what the demo has to say when it is changed.
    struct Change: CustomTestStringConvertible, Sendable {
        let file: String
        let text: String
        let complaint: String
        var testDescription: String { "\(file), at “\(text)”" }
    }

    @Test(
        "fails when one byte of the publisher's data is another, and says where",
        arguments: [
            Change(file: "articles/12-spider-silk.json", text: "Spider Silk", complaint: "c0012: title"),
            Change(file: "articles/12-spider-silk.json", text: "gooseberries", complaint: "c0012: body"),
            Change(
                file: "articles/09-one-o-clock-more-or-less.json",
                text: "2025-04-07T09:03",
                complaint: "c0009: updated"
            ),
            Change(file: "issues/2.json", text: "Clocks, spiders", complaint: "b0002: description"),
            Change(file: "volumes/1.json", text: "blue cloth", complaint: "a0001: customMeta"),
            Change(file: "media/bell.json", text: "north-west", complaint: "d0201: caption"),
            Change(file: "media/bell.json", text: "seconds", complaint: "media/6e676c6173730000000d0201"),
            Change(file: "files/moth.svg", text: "moth", complaint: "file moth.svg"),
            Change(file: "files/cover3.png", text: "IDAT", complaint: "file cover3.png"),
            Change(file: "files/bell.wav", text: "data", complaint: "file bell.wav"),
            Change(file: "files/nightglass.png", text: "PLTE", complaint: "file nightglass.png"),
            Change(file: "staging/articles/33-fog.json", text: "Pleiades", complaint: "c0033: body"),
            Change(file: "staging/galleys/36-errata.json", text: "mackerel", complaint: "c0036"),
            Change(file: "magazine.json", text: "an hour out", complaint: "its body can be asked"),
            Change(file: "magazine.json", text: "6e676c6173730000000a0003", complaint: "410 is VolumeError.withdrawn"),
        ]
    )
    func oneByteChanged(change: Change) async throws {
        let outcome = try await withCopyOfTheMagazine { folder in
            let file = folder.appending(path: change.file)
            var data = try Data(contentsOf: file)
            let place = try #require(data.firstRange(of: Data(change.text.utf8)))
            data[place.lowerBound + change.text.utf8.count - 1] ^= 1
            try data.write(to: file)
            return try await Program.run(["--check", "--data", folder.path])
        }

        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains(change.complaint), "\(outcome.output)")
    }

    @Test("fails when the publisher cannot start, and says why")
    func noMagazine() async throws {
        let outcome = try await Program.run(["--check", "--data", "/nowhere"])

        #expect(outcome.status == 1)
        #expect(outcome.output.contains("the publisher did not start (it exited with status 1)"))
    }

    @Test(
        "refuses a command line it cannot follow",
        arguments: [
            ["--chekc"], ["--server", "http://127.0.0.1:1"], ["--data"], ["--calibre"], ["search"], ["issue"],
            ["article", "--library", "/tmp"], ["library", "--server", "http://127.0.0.1:1", "--client-key", "k"],
        ]
    )
    func badCommandLine(arguments: [String]) async throws {
        let outcome = try await Program.run(arguments)

        #expect(outcome.status == 2)
        #expect(outcome.output.contains("usage: masthead-demo"))
    }

    @Test("shows code that is its own")
    func shownCode() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Program.sources.appending(path: "masthead-demo"),
            includingPropertiesForKeys: nil
        )
        let lines = try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        var shown: [String] = []
        var isInside = false
        for line in lines {
            if line == "code: \"\"\"" {
                isInside = true
            } else if line == "\"\"\"" {
                isInside = false
            } else if isInside, !line.hasPrefix("//") {
                shown.append(line)
            }
        }
        #expect(shown.count > 8)
        for line in shown {
            let plain = line.replacingOccurrences(of: "\\\\", with: "\\")
            #expect(
                lines.filter { $0.replacingOccurrences(of: "\\\\", with: "\\").contains(plain) }.count > 1,
                "\(line)"
            )
        }
    }
}
