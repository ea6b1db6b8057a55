extension Library {
    /// Finds episodes of the subscribed feeds by the words of their titles, notes, chapters and transcripts.
    ///
    /// It first indexes what was stored since the last search, so that nothing is missed; a read-only library
    /// searches what is indexed if it may not write. The best match comes first.
    public func search(_ text: String, limit: Int = 50) async throws(StoreError) -> [SearchHit] {
        guard let query = SearchQuery(text) else { return [] }
        do {
            try await updateSearchIndex()
        } catch .busy, .readOnly {
            // Better to find most of it now than to wait for another process or to find nothing.
        }
        return try connection.snapshot { () throws(StoreError) in
            var search = try EpisodeSearch(connection: connection, limit: limit)
            try search.run(query)
            return search.hits
        }
    }

    /// Indexes what was stored since the last search.
    ///
    /// Others may use the library between its steps.
    public func updateSearchIndex() async throws(StoreError) {
        guard try !SearchIndex(connection: connection).isUpToDate else { return }
        // A reader has a writer do it.
        let index = SearchIndex(connection: isReadOnly ? try Library.openForWriting(path) : connection)
        while try !index.isUpToDate {
            try index.addSome()
            await Task.yield()
        }
    }
}
