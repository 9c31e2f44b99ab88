import MastheadPublishing

extension Options {
    /// Reads the command line.
    ///
    /// - Parameters:
    ///   - arguments: What follows the program's name.
    ///   - variables: The environment.
    /// - Returns: What to do, and how.
    /// - Throws: What cannot be followed.
    static func parse(_ arguments: [String], variables: [String: String]) throws(Problem) -> Options {
        var options = Options(library: LibraryFolder(nil, variables: variables))
        var rest = arguments[...]
        var server: String?
        var key = variables["MASTHEAD_CLIENT_KEY"]
        func value(_ option: String) throws(Problem) -> String {
            guard let value = rest.popFirst(), !value.hasPrefix("--") else {
                throw Problem(message: "\(option) needs a value")
            }
            return value
        }
        var words: [String]?
        while let argument = rest.popFirst() {
            // One that begins with a single dash is a word that is not to be there.
            if words != nil, !argument.hasPrefix("--") {
                words?.append(argument)
                continue
            }
            switch argument {
            case "--check": options.isCheck = true
            case "--step": options.isStepwise = true
            case "--data": options.dataFolder = try value(argument)
            case "--server": server = try value(argument)
            case "--client-key": key = try value(argument)
            case "--calibre": options.mode = .calibre(url: try value(argument))
            case "pins": options.mode = .pins(server: try value(argument))
            case "--authorities": options.authorities = try value(argument)
            case "--library": options.library = LibraryFolder(try value(argument), variables: variables)
            case "sync": options.mode = .library(.sync)
            case "library": options.mode = .library(.contents)
            case "issue": options.mode = .library(.issue(Issue.ID(try value(argument))))
            case "article": options.mode = .library(.article(Article.ID(try value(argument))))
            case "search": words = []
            case "--help", "-h":
                options.mode = .help
                return options
            default: throw Problem(message: "no such option: \(argument)")
            }
        }
        if let words {
            guard !words.isEmpty else { throw Problem(message: "search needs words") }
            options.mode = .library(.search(words.joined(separator: " ")))
        }
        try options.take(server: server, key: key)
        return options
    }

    private mutating func take(server: String?, key: String?) throws(Problem) {
        guard let server else { return }
        guard let key, !key.isEmpty else {
            throw Problem(message: "--server needs --client-key, or the variable MASTHEAD_CLIENT_KEY")
        }
        self.server = (server, key)
        switch mode {
        case .library(.sync), .help: break
        case .library: throw Problem(message: "only sync asks a server: what it brought is read from the disk")
        case .tour, .server, .calibre, .pins: mode = .server
        }
    }
}
