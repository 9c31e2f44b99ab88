/// What the command line says.
struct Options {
    /// What to do.
    enum Mode {
        /// Walk through the demo's own publisher.
        case tour

        /// Walk through another Magnet server.
        case server(url: String, clientKey: String)

        /// List and open the books of a calibre server.
        case calibre(url: String)

        /// Print what a server can be pinned to.
        case pins(server: String)

        /// Say how this is used.
        case help
    }

    /// Why a command line cannot be followed.
    struct Problem: Error {
        let message: String
    }

    var mode = Mode.tour

    /// Whether to check each fact, without colours.
    var isCheck = false

    /// Whether to wait for Return before each part.
    var isStepwise = false

    /// A folder with the publisher's data instead of its own.
    var dataFolder: String?

    /// A PEM file of authorities to trust instead of the system's.
    var authorities: String?

    static let usage = """
        usage: masthead-demo [--check] [--step] [--data FOLDER]
               masthead-demo --server URL [--client-key KEY]
               masthead-demo --calibre URL
               masthead-demo pins HOST[:PORT] [--authorities FILE]

        Starts the demo's publisher, a process of its own on 127.0.0.1, and reads its magazine as an app would.

          --check           plain text; compares all that comes with the manifest the demo carries; exits 1 at a fault
          --step            waits for Return before each part
          --data FOLDER     gives the publisher another folder of data
          --server URL      reads from any Magnet server instead; nothing is compared then
          --client-key KEY  the key for it; better in the variable MASTHEAD_CLIENT_KEY, which no process list shows
          --calibre URL     lists and opens the books of a calibre server by a repository that the demo defines
          pins HOST[:PORT]  prints the keys of a TLS server, to be pinned to; nothing is sent but a handshake
          --authorities FILE  a PEM file of the authorities to trust for it, instead of the system's
        """

    /// Reads the command line.
    ///
    /// - Parameters:
    ///   - arguments: What follows the program's name.
    ///   - variables: The environment.
    /// - Returns: What to do, and how.
    /// - Throws: What cannot be followed.
    static func parse(_ arguments: [String], variables: [String: String]) throws(Problem) -> Options {
        var options = Options()
        var rest = arguments[...]
        var server: String?
        var key = variables["MASTHEAD_CLIENT_KEY"]
        func value(_ option: String) throws(Problem) -> String {
            guard let value = rest.popFirst(), !value.hasPrefix("--") else {
                throw Problem(message: "\(option) needs a value")
            }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--check": options.isCheck = true
            case "--step": options.isStepwise = true
            case "--data": options.dataFolder = try value(argument)
            case "--server": server = try value(argument)
            case "--client-key": key = try value(argument)
            case "--calibre": options.mode = .calibre(url: try value(argument))
            case "pins": options.mode = .pins(server: try value(argument))
            case "--authorities": options.authorities = try value(argument)
            case "--help", "-h": options.mode = .help
            default: throw Problem(message: "no such option: \(argument)")
            }
        }
        if let server {
            guard let key, !key.isEmpty else {
                throw Problem(message: "--server needs --client-key, or the variable MASTHEAD_CLIENT_KEY")
            }
            options.mode = .server(url: server, clientKey: key)
        }
        return options
    }
}
