import MastheadNetworking

/// The header of a token file, as it is, and with a check that is right: an input gets no further with a wrong one.
func checkTokens(_ bytes: [UInt8]) {
    checkHeader(bytes)
    guard bytes.count >= TokenFileHeader.size, let check = try? TokenFileHeader.check(of: bytes) else { return }
    var forged = bytes
    forged.replaceSubrange(TokenFileHeader.size - check.count..<TokenFileHeader.size, with: check)
    checkHeader(forged)
}

private func checkHeader(_ bytes: [UInt8]) {
    do throws(TokenStoreError) {
        let header = try TokenFileHeader(of: bytes)
        let written = try header.bytes()
        claim(written == Array(bytes.prefix(TokenFileHeader.size)), "a header is written as it was read")
        if case .passphrase(let cost, let salt) = header.kind {
            claim(cost.memory <= PassphraseCost.maximumMemory, "no header asks for more memory than there is")
            claim(cost.work <= PassphraseCost.maximumWork, "no header asks for more work than there is time for")
            claim(salt.count == TokenFileHeader.saltSize, "a salt has its size")
        }
    } catch .damaged, .unknownVersion {
        return
    } catch {
        claim(false, "a header is damaged or of another version, and nothing else: \(error)")
    }
}
