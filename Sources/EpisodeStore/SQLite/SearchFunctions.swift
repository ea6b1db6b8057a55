internal import CSQLite

extension Connection {
    /// Makes the functions that give the words of a column known to SQL.
    ///
    /// They have no side effects (`INNOCUOUS`), so that a view may call them although the schema is not trusted;
    /// SQLite's own JSON functions may not be called there.
    func addSearchFunctions() throws(StoreError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        try check(
            sqlite3_create_function_v2(
                handle, "podget_html_text", 1, flags, nil,
                { context, _, values in answer(context, values, searchText(ofHTML:)) }, nil, nil, nil))
        try check(
            sqlite3_create_function_v2(
                handle, "podget_chapter_text", 1, flags, nil,
                { context, _, values in answer(context, values, searchText(ofChapters:)) }, nil, nil, nil))
        try check(
            sqlite3_create_function_v2(
                handle, "podget_transcript_text", 1, flags, nil,
                { context, _, values in answer(context, values, searchText(ofTranscript:)) }, nil, nil, nil))
    }
}

/// Answers a call with the text that a function makes of its one argument; `NULL` stays `NULL`.
private func answer(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ function: (String) -> String
) {
    guard let value = values?[0], let bytes = sqlite3_value_text(value) else {
        sqlite3_result_null(context)
        return
    }
    let count = Int(sqlite3_value_bytes(value))
    var text = function(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { characters in
            sqlite3_result_text64(
                context, characters.baseAddress, UInt64(characters.count), podget_sqlite_transient(),
                UInt8(SQLITE_UTF8))
        }
    }
}
