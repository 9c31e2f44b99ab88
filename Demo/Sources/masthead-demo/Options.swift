/// What the command line says.
struct Options {
    /// What to do.
    enum Mode {
        /// Walk through the demo's own publisher.
        case tour

        /// Walk through another Magnet server.
        case server

        /// List and open the books of a calibre server.
        case calibre(url: String)

        /// Print what a server can be pinned to.
        case pins(server: String)

        /// Keep the magazine on the disk, and read it from there.
        case library(LibraryCommand.Action)

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

    /// Another Magnet server than the demo's own.
    var server: (url: String, clientKey: String)?

    /// A PEM file of authorities to trust instead of the system's.
    var authorities: String?

    /// Where the library lies.
    var library: LibraryFolder

    static let usage = """
        usage: masthead-demo [--check] [--step] [--data FOLDER]
               masthead-demo --server URL [--client-key KEY]
               masthead-demo --calibre URL
               masthead-demo pins HOST[:PORT] [--authorities FILE]
               masthead-demo sync [--library FOLDER] [--data FOLDER | --server URL [--client-key KEY]]
               masthead-demo library | issue ID | article ID | search WORDS [--library FOLDER]

        Starts the demo's publisher, a process of its own on 127.0.0.1, and reads its magazine as an app would.

          --check           plain text; compares all that comes with the manifest the demo carries; exits 1 at a fault
          --step            waits for Return before each part
          --data FOLDER     gives the publisher another folder of data
          --server URL      reads from any Magnet server instead; nothing is compared then
          --client-key KEY  the key for it; better in the variable MASTHEAD_CLIENT_KEY, which no process list shows
          --calibre URL     lists and opens the books of a calibre server by a repository that the demo defines
          pins HOST[:PORT]  prints the keys of a TLS server, to be pinned to; nothing is sent but a handshake
          --authorities FILE  a PEM file of the authorities to trust for it, instead of the system's

        Keeps the magazine in a library on the disk, too; all but sync read it without any server:

          sync              brings the library up to date with the demo's publisher, or with --server URL
          library           prints the volumes and their issues
          issue ID          prints the articles of an issue
          article ID        prints the text of an article
          search WORDS      searches all texts: harbour -ferry, '"low water"', author:oka*, moth OR moon
          --library FOLDER  where the library lies, one for each server; masthead-demo/library among the user's caches
        """
}
