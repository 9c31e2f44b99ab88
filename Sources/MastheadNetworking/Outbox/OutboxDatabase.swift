import FoundationEssentials
import MastheadSQLite

/// The writes of one user on disk.
///
/// A write that is under way stands there as one that waits, and is marked as taken up: whether it was done is only known
/// when it is gone. The mark holds as long as an outbox has the lock of the file; what a process leaves that ended is
/// rubbed out by the next that gets the lock.
struct OutboxDatabase: Sendable {
    /// What a row's `state` says.
    enum Standing: Int, Sendable {
        case pending = 0
        case parked = 1
        case parkedWithDependency = 2
    }

    let database: Database

    /// What the rows are sealed with.
    let sealing: OutboxSealing

    init(path: String, sealing: OutboxSealing) {
        self.sealing = sealing
        var options = DatabaseOptions()
        // What the app was told is kept must survive a power cut too.
        options.durability = .full
        options.erasesDeleted = true
        options.readerLimit = 2
        database = Database(path: path, schema: Self.schema, options: options)
    }

    private static let schema = Schema(
        applicationID: 0x4D48_4F42,
        migrations: [
            Migration(
                to: 1,
                """
                CREATE TABLE item (
                    place INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    kind TEXT NOT NULL,
                    lane TEXT NOT NULL,
                    key TEXT NOT NULL,
                    method TEXT NOT NULL,
                    target TEXT NOT NULL,
                    headers TEXT NOT NULL,
                    body BLOB,
                    uses_session INTEGER NOT NULL,
                    timeout REAL,
                    value_key TEXT,
                    value BLOB,
                    state INTEGER NOT NULL,
                    attempts INTEGER NOT NULL DEFAULT 0,
                    not_before REAL,
                    failure BLOB,
                    date REAL NOT NULL
                );
                CREATE INDEX item_of_lane ON item (lane, place);
                CREATE INDEX item_of_state ON item (state, place);
                CREATE INDEX item_of_value ON item (value_key, place) WHERE value_key IS NOT NULL;
                CREATE TABLE dependency (
                    item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
                    needs TEXT NOT NULL,
                    PRIMARY KEY (item, needs)
                ) WITHOUT ROWID;
                CREATE INDEX dependency_of_needs ON dependency (needs);
                """
            ),
            // Whether a drain has taken it up: then it is too late to discard it.
            Migration(to: 2, "ALTER TABLE item ADD COLUMN taken INTEGER NOT NULL DEFAULT 0"),
            // Where the rows are sealed: the names that `lane` and `value_key` stand for, and the proof of the key.
            Migration(
                to: 3,
                """
                ALTER TABLE item ADD COLUMN names BLOB;
                CREATE TABLE form (id INTEGER PRIMARY KEY CHECK (id = 1), proof BLOB);
                INSERT INTO form VALUES (1, NULL);
                """
            ),
        ]
    )

    func write<Output: Sendable>(
        _ job: @escaping Database.Job<Output>
    ) async -> Result<Output, RepositoryError> {
        do throws(DatabaseError) {
            return .success(try await database.write(job))
        } catch {
            return .failure(RepositoryError(error))
        }
    }

    func read<Output: Sendable>(
        _ job: @escaping Database.Job<Output>
    ) async -> Result<Output, RepositoryError> {
        do throws(DatabaseError) {
            return .success(try await database.read(job))
        } catch {
            return .failure(RepositoryError(error))
        }
    }
}

extension RepositoryError {
    /// What kept the outbox's file from being read or written.
    init(_ error: DatabaseError) {
        self =
            switch error {
            case .cancelled: .cancelled
            case .full: .fileAccess(reason: "no space is left for the outbox")
            case .closed: .fileAccess(reason: "the outbox is closed")
            case .newer(let version): .fileAccess(reason: "the outbox is of a newer version of the app: \(version)")
            case .busy: .fileAccess(reason: "the outbox is in use by another process")
            default: .fileAccess(reason: "the outbox: \(error)")
            }
    }
}
