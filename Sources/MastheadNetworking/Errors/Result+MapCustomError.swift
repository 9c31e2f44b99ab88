import FoundationEssentials

extension Result where Failure == RepositoryError {
    /// Gives the app's own errors for statuses.
    ///
    /// ```swift
    /// await perform(.get("volumes/\(id)")).mapCustomError([404: VolumeError.unknownVolume, 410: VolumeError.withdrawn])
    /// ```
    ///
    /// Only a refusal is mapped: an error that has become the app's own stays, so the first of several mappings that
    /// knows the refusal wins.
    public func mapCustomError(_ errors: [Int: any CustomRepositoryError]) -> Result {
        mapRefusal { errors[$0.status] }
    }

    /// Gives the app's own errors for a code in the body of a refusal.
    ///
    /// ```swift
    /// await perform(.post("orders", body: .json(order)))
    ///     .mapCustomError(at: "/error/code", [40: OrderError.soldOut, "expired": OrderError.expired])
    ///     .mapCustomError([409: OrderError.conflict])      // whatever code it has
    /// ```
    ///
    /// The value at the pointer is compared as a value, whole: 40 is equal to 40.0, and neither to 404, to the string
    /// `"40"`, nor to a 40 anywhere else in the body. A body that is no JSON, or has nothing there, maps nothing.
    ///
    /// - Parameters:
    ///   - pointer: Where the code stands in the body (RFC 6901).
    ///   - status: The only status to look at; `nil` looks at every refusal.
    ///   - errors: The error for each code.
    /// - Returns: The result, its refusal replaced if there is an error for its code.
    public func mapCustomError(
        at pointer: JSONPointer,
        status: Int? = nil,
        _ errors: [JSONValue: any CustomRepositoryError]
    ) -> Result {
        mapRefusal { refusal in
            guard status == nil || status == refusal.status, let code = refusal.value(at: pointer) else { return nil }
            return errors.first { $0.key.comparable == code.comparable }?.value
        }
    }

    private func mapRefusal(_ map: (ResponseError) -> (any CustomRepositoryError)?) -> Result {
        mapError { error in
            switch error {
            case .requestError(let refusal), .unauthenticatedSession(let refusal):
                map(refusal).map(RepositoryError.customError) ?? error
            default: error
            }
        }
    }
}

extension JSONValue {
    /// The same value, a whole number always as an integer.
    fileprivate var comparable: JSONValue {
        guard case .double(let number) = self, let integer = Int64(exactly: number) else { return self }
        return .int(integer)
    }
}
