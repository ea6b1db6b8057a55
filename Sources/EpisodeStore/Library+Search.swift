extension Library {
    /// Finds episodes of the subscribed feeds by the words of their titles, notes, chapters and transcripts.
    ///
    /// It first indexes what was stored since the last search, so that nothing is missed; a read-only library
    /// searches what is indexed if it may not write. The best match comes first.
    public func search(_ text: String, limit: Int = 50) throws(StoreError) -> [SearchHit] {
        guard let query = SearchQuery(text) else { return [] }
        try updateSearchIndexIfPossible()
        return try connection.snapshot { () throws(StoreError) in
            var search = try EpisodeSearch(connection: connection, limit: limit)
            try search.run(query)
            return search.hits
        }
    }

    /// Indexes what was stored since the last search.
    public func updateSearchIndex() throws(StoreError) {
        try SearchIndex(connection: connection).bringUpToDate()
    }

    private func updateSearchIndexIfPossible() throws(StoreError) {
        guard try !SearchIndex(connection: connection).isUpToDate else { return }
        do {
            guard isReadOnly else { return try updateSearchIndex() }
            let writer = try Library.openForWriting(path)
            try SearchIndex(connection: writer).bringUpToDate()
        } catch .busy, .readOnly {
            // Better to find most of it now than to wait for another process or to find nothing.
        }
    }
}
