/// Where a policy's connections come from instead of the network: sockets whose other ends a test holds.
///
/// No configuration can name one. No two are equal, so nothing is shared with exchanges over the network.
package final class SocketSource: Sendable, Hashable {
    /// Gives a connected socket, which the transport closes, or `nil` to refuse; on the thread that has the transfers.
    let connect: @Sendable () -> Int32?

    package init(connect: @escaping @Sendable () -> Int32?) {
        self.connect = connect
    }

    package static func == (left: SocketSource, right: SocketSource) -> Bool {
        left === right
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
