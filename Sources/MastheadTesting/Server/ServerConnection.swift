import MastheadCrypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Serves one connection, on its own thread, until one side has had enough.
struct ServerConnection {
    let descriptor: Int32
    let number: Int
    let tls: TLSServerContext?
    let script: ServerScript
    let record: ServerRecord

    /// Serves and closes the connection; `release` is called before the descriptor's number is given up.
    func run(release: () -> Void) {
        let socket = ClientSocket(descriptor: descriptor)
        socket.sendPiecesAtOnce()
        if let tls {
            do throws(CryptoError) {
                serve(socket, over: try TLSStream(tls, over: socket))
            } catch {
                record.addProblem("connection \(number): no TLS: \(error)")
            }
        } else {
            serve(socket, over: socket)
        }
        release()
        close(descriptor)
        record.ends.change(by: 1)
    }

    private func serve(_ socket: ClientSocket, over stream: any ByteStream) {
        var reader = RequestReader(stream, connection: number)
        let writer = AnswerWriter(stream: stream, socket: socket)
        while true {
            switch reader.next() {
            case .end:
                return
            case .malformed(let reason):
                record.addProblem("connection \(number): \(reason)")
                _ = writer.send(.text(reason, status: 400).closing(), withBody: true, keepsAlive: false)
                return finish(stream, socket)
            case .request(let request, let keepsAlive):
                record.add(request)
                let answer = script.answer(request) ?? missing(for: request)
                switch writer.send(answer, withBody: request.method != "HEAD", keepsAlive: keepsAlive) {
                case .keepOpen: continue
                case .close: return finish(stream, socket)
                case .cut: return socket.finish()
                case .reset: return socket.resetOnClose()
                case .silence:
                    _ = socket.wait(for: nil, milliseconds: -1)
                    return
                }
            }
        }
    }

    private func missing(for request: ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer {
        let text = "no answer scripted for \(request.method) \(request.target)"
        record.addProblem("connection \(number): \(text)")
        return .text("ScriptedServer has \(text)", status: 501)
    }

    private func finish(_ stream: any ByteStream, _ socket: ClientSocket) {
        stream.sayGoodbye()
        socket.finish()
    }
}
