import FoundationEssentials

/// Takes the body of one request, as its answer says if that says anything.
struct UploadTaker {
    enum Outcome {
        /// All of it.
        case whole(RecordedBody)
        /// What there was when the answer had to be sent.
        case early(RecordedBody)
        /// The client or the server's end closed the connection during a pause.
        case gone
    }

    let stream: any ByteStream
    let socket: ClientSocket
    let upload: ScriptedServer.Answer.Upload

    func take(
        from reader: inout RequestReader,
        for request: ScriptedServer.ReceivedRequest
    ) throws(RequestReader.Malformed) -> Outcome {
        guard reader.hasBody else { return .whole(RecordedBody()) }
        if request.expectsContinue, upload.sendsContinue, upload.answersAfter != 0 {
            guard stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return .gone }
        }
        if upload.step != nil || !upload.pauses.isEmpty { socket.receiveLittle() }
        var recorder = BodyRecorder(request.headers, keeping: upload.keptBytes)
        var pauses = upload.pauses.sorted { ($0.bodyOffset ?? 0) < ($1.bodyOffset ?? 0) }[...]
        var offset = 0
        while true {
            while let pause = pauses.first, (pause.bodyOffset ?? 0) <= offset {
                guard pause.reason.wait(on: socket) else { return .gone }
                pauses.removeFirst()
            }
            if let end = upload.answersAfter, end <= offset { return .early(recorder.finish()) }
            if let step = upload.step { guard step.wait(on: socket) else { return .gone } }
            let next = min(upload.answersAfter ?? .max, pauses.first?.bodyOffset ?? .max)
            guard let piece = try reader.nextPiece(atMost: min(upload.pieceSize, next - offset)) else {
                return .whole(recorder.finish())
            }
            recorder.add(piece)
            offset += piece.count
        }
    }
}
