extension AbstractRepository: CustomReflectable {
    /// What a dump or a debugger shows: the configuration, and what makes the exchanges.
    public final var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "configuration": configuration,
                "session": pipeline.session.map { "\(type(of: $0))" } ?? "none",
                "executor": "\(type(of: pipeline.executor))",
            ]
        )
    }
}

extension RequestInterceptorChain: CustomReflectable {
    /// What a dump or a debugger shows: the types of the interceptors, and nothing that they hold.
    public var customMirror: Mirror {
        Mirror(self, children: ["interceptors": interceptors.map { "\(type(of: $0))" }], displayStyle: .struct)
    }
}
