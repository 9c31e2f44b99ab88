import FoundationEssentials
import MastheadCrypto

/// Serves one connection, on its own thread, until one side has had enough.
struct ServerConnection {
    /// Who is at the other end.
    struct Client {
        let connection: Int
        let address: String
        let serverName: String?
    }

    let number: Int
    let tls: ServerTLS?
    let script: ServerScript
    let record: ServerRecord

    /// Serves the connection; its socket is closed by whoever made it.
    func serve(_ socket: ClientSocket) {
        if let tls {
            do throws(CryptoError) {
                let stream = try TLSStream(tls, over: socket, number: number)
                serve(socket, over: stream, serverName: stream.serverName)
            } catch {
                record.addProblem("connection \(number): no TLS: \(error)")
            }
        } else {
            serve(socket, over: socket, serverName: nil)
        }
    }

    private func serve(_ socket: ClientSocket, over stream: any ByteStream, serverName: String?) {
        let client = Client(connection: number, address: socket.peerAddress, serverName: serverName)
        var reader = RequestReader(stream)
        let writer = AnswerWriter(stream: stream, socket: socket)
        do throws(RequestReader.Malformed) {
            while let head = try reader.nextHead() {
                let bare = ScriptedServer.ReceivedRequest(head, by: client)
                let planned = script.answer(toHead: bare)
                let taker = UploadTaker(stream: stream, socket: socket, upload: planned?.upload ?? .init())
                let request: ScriptedServer.ReceivedRequest
                var isEarly = false
                switch try taker.take(from: &reader, for: bare) {
                case .gone: return
                case .whole(let body): request = .init(head, body, by: client)
                case .early(let body):
                    request = .init(head, body, by: client)
                    isEarly = true
                }
                record.add(request)
                let answer = planned ?? script.answer(request) ?? missing(for: request)
                let verdict = writer.send(answer, withBody: head.method != "HEAD", keepsAlive: head.keepsAlive)
                guard verdict == .keepOpen else { return end(verdict, isEarly: isEarly, stream, socket) }
                if isEarly { guard skipBody(of: &reader) else { return } }
            }
        } catch {
            note(error)
            _ = writer.send(.text(error.reason, status: 400).closing(), withBody: true, keepsAlive: false)
            end(.close, isEarly: false, stream, socket)
        }
    }

    private func end(_ verdict: AnswerWriter.Verdict, isEarly: Bool, _ stream: any ByteStream, _ socket: ClientSocket) {
        switch verdict {
        case .keepOpen: break
        case .close:
            stream.sayGoodbye()
            // A client that still sends would be told of a reset, and might lose the answer by it.
            if isEarly { socket.finishWithClient() } else { socket.finish() }
        case .cut: socket.finish()
        case .reset: socket.resetOnClose()
        case .silence: _ = socket.wait(for: nil, milliseconds: -1)
        }
    }

    /// Passes over the rest of a body whose request has been answered; `false` if the client gave it up.
    private func skipBody(of reader: inout RequestReader) -> Bool {
        do throws(RequestReader.Malformed) {
            while try reader.nextPiece(atMost: .max) != nil {}
            return true
        } catch {
            note(error)
            return false
        }
    }

    private func missing(for request: ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer {
        let text = "no answer scripted for \(request.method) \(request.target)"
        record.addProblem("connection \(number): \(text)")
        return .text("ScriptedServer has \(text)", status: 501)
    }

    private func note(_ error: RequestReader.Malformed) {
        record.addProblem("connection \(number): \(error.reason)")
    }
}
