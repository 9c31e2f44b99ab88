import FoundationEssentials
import MastheadTransport
import Testing

/// What holds for every coding.
struct ContentDecoderTests {
    private static let text = Data(#"{"tide": "low water, high water, low water"}"#.utf8)

    /// Decodes in pieces of so many bytes.
    private func decode(_ coded: Data, as codings: [ContentCoding], by size: Int) throws -> Data {
        var decoder = try ContentDecoder(codings)
        var decoded = Data()
        for start in stride(from: 0, to: coded.count, by: size) {
            try coded.dropFirst(start).prefix(size).bytes.withUnsafeBytes { (bytes) throws(TransportError) in
                try decoder.decode(bytes) { (piece) throws(TransportError) in
                    #expect(!piece.isEmpty && piece.count <= ContentDecoder.pieceSize)
                    decoded.append(contentsOf: piece)
                }
            }
        }
        try decoder.finish()
        return decoded
    }

    private func decode(_ coded: Data, as form: CodedForm) throws -> Data {
        try ContentDecoder.decode(coded, coded: [form.coding], limit: 10_000_000)
    }

    @Test("undoes what was coded, however its bytes arrive", arguments: CodedForm.all, [1, 2, 1021, 1 << 20])
    func decodes(form: CodedForm, size: Int) throws {
        let bodies = [Data(), Self.text, .honestJSON(byteCount: size > 100 ? 1_000_000 : 10_000)]
        for body in bodies { #expect(try decode(form.encode(body), as: [form.coding], by: size) == body) }
    }

    @Test("refuses a body cut at any byte", arguments: CodedForm.all)
    func refusesCuts(form: CodedForm) throws {
        let coded = try form.encode(Self.text)
        for count in 1..<coded.count {
            let error = #expect(throws: TransportError.self, "cut after \(count)") {
                try decode(coded.prefix(count), as: form)
            }
            #expect(error == .corruptBody("its coded form ends early, after \(count) bytes"))
        }
    }

    @Test("takes no byte for an empty body", arguments: CodedForm.all)
    func passesEmptiness(form: CodedForm) throws {
        #expect(try decode(Data(), as: form).isEmpty)
    }

    @Test("gives no wrong byte of a damaged body", arguments: CodedForm.all.filter(\.hasSum))
    func refusesDamage(form: CodedForm) throws {
        let coded = try form.encode(Self.text)
        var refusals = 0
        for bit in 0..<(coded.count * 8) {
            var damaged = coded
            damaged[damaged.startIndex + bit / 8] ^= 1 << (bit % 8)
            do {
                // A bit that means nothing: of the time in a gzip member's head, for example.
                #expect(try decode(damaged, as: form) == Self.text, "bit \(bit)")
            } catch {
                refusals += 1
            }
        }
        #expect(refusals > coded.count * 8 - 60)
    }

    @Test("refuses bytes after the end", arguments: CodedForm.all, ["x", "\u{1}", "{}", "\u{1F}", "(", "P"])
    func refusesTrailingBytes(form: CodedForm, rest: String) throws {
        let coded = try form.encode(Self.text) + Data(rest.utf8)
        #expect(throws: TransportError.self) { try decode(coded, as: form) }
        #expect(throws: TransportError.self) { try decode(coded, as: [form.coding], by: 1) }
    }

    @Test(
        "tells a body that is not of the coding on its label",
        arguments: CodedForm.all,
        [#"{"tide": "low water"}"#, "<html><body>Bad gateway</body></html>", "\u{FEFF}[]", "Not found"]
    )
    func tellsMislabelled(form: CodedForm, body: String) throws {
        let error = #expect(throws: TransportError.self) { try decode(Data(body.utf8), as: form) }
        guard case .corruptBody = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("tells a body of another coding than the one on its label", arguments: CodedForm.all, CodedForm.all)
    func tellsOtherCoding(form: CodedForm, label: CodedForm) throws {
        guard form.label != label.label else { return }
        #expect(throws: TransportError.self) { try decode(form.encode(Self.text), as: label) }
    }

    @Test("undoes codings on top of each other, the last first", arguments: CodedForm.all, CodedForm.all)
    func undoesChains(first: CodedForm, second: CodedForm) throws {
        let body = Data.honestJSON(byteCount: 300_000)
        let coded = try second.encode(first.encode(body))
        for size in [1, 1 << 20] {
            #expect(try decode(coded, as: [first.coding, second.coding], by: size) == body)
        }
        let third = try CodedForm.gzip.encode(coded)
        #expect(try decode(third, as: [first.coding, second.coding, .gzip], by: 100) == body)
        #expect(throws: TransportError.self) {
            try decode(coded.dropLast(), as: [first.coding, second.coding], by: 1000)
        }
        let cutWithin = try second.encode(first.encode(body).dropLast())
        #expect(throws: TransportError.self) { try decode(cutWithin, as: [first.coding, second.coding], by: 1000) }
    }

    @Test("stops a body at the limit, and passes one of exactly that", arguments: CodedForm.all)
    func stopsAtLimit(form: CodedForm) throws {
        let coded = try form.encode(Data(count: 1_000_000))
        #expect(try ContentDecoder.decode(coded, coded: [form.coding], limit: 1_000_000).count == 1_000_000)
        #expect(throws: TransportError.bodyTooLarge(limit: 999_999)) {
            try ContentDecoder.decode(coded, coded: [form.coding], limit: 999_999)
        }
    }

    @Test("gives one piece at a time to whoever wants no more", arguments: CodedForm.all)
    func givesPieces(form: CodedForm) throws {
        let coded = try form.encode(Data(count: 10_000_000))
        var decoder = try ContentDecoder([form.coding])
        try coded.bytes.withUnsafeBytes { (bytes) throws(TransportError) in
            var rest = bytes
            let first = try decoder.next(from: &rest)
            #expect(first?.count == ContentDecoder.pieceSize)
            var count = first?.count ?? 0
            while let piece = try decoder.next(from: &rest) { count += piece.count }
            #expect(count == 10_000_000)
            #expect(rest.isEmpty)
        }
        try decoder.finish()
    }

    @Test("ends when the taker of the pieces has enough")
    func endsWithTaker() throws {
        let coded = try CodedForm.gzip.encode(Data(count: 10_000_000))
        var decoder = try ContentDecoder([.gzip])
        var count = 0
        #expect(throws: TransportError.cancelled) {
            try coded.bytes.withUnsafeBytes { (bytes) throws(TransportError) in
                try decoder.decode(bytes) { (piece) throws(TransportError) in
                    count += piece.count
                    if count > 200_000 { throw .cancelled }
                }
            }
        }
        #expect(count < 300_000)
    }

    @Test("passes a body without a coding as it is")
    func passesIdentity() throws {
        #expect(try decode(Self.text, as: [], by: 10) == Self.text)
    }

    @Test("wastes no time on a coding within another that stands for nothing")
    func stopsBarrenCodings() throws {
        var barren = try CodedForm.gzip.encode(Data())
        while barren.count < 2 << 20 { barren += barren }
        let error = #expect(throws: TransportError.self) {
            try ContentDecoder.decode(CodedForm.gzip.encode(barren), coded: [.gzip, .gzip], limit: 1 << 20)
        }
        guard case .corruptBody(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasSuffix("stand for only 0"))
    }
}
