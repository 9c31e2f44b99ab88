/// What others did to a database.
package enum DatabaseChange: Sendable, Hashable {
    /// Another connection or process committed, perhaps more than once.
    case committed
    /// The file was moved, removed or replaced; what is read or written from now on is in the one that is there now.
    case replaced
}
