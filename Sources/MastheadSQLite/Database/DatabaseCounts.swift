/// What a database has done so far, to be looked at from outside.
package struct DatabaseCounts: Sendable, Hashable {
    /// The transactions that were committed.
    package var commits = 0
    /// The jobs in them.
    package var jobs = 0
    /// The transactions that were undone.
    package var rollbacks = 0

    package init(commits: Int = 0, jobs: Int = 0, rollbacks: Int = 0) {
        self.commits = commits
        self.jobs = jobs
        self.rollbacks = rollbacks
    }
}
