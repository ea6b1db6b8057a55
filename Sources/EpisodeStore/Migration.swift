/// One step of the schema.
///
/// A released step is never edited; the next step mends it.
struct Migration: Sendable {
    let version: Int
    let name: String
    let sql: String

    /// All steps in order.
    static let all: [Migration] = [
        .library, .search, .nextCheckReason, .extras, .playQueue, .checksums, .unreadFiles,
    ]
}

extension Migration {
    /// Feeds, episodes, downloads and their history.
    ///
    /// Dates are Unix seconds, durations milliseconds. An `episode` row holds what lists and matching read, the
    /// long texts stand apart: a list then reads few pages. What no query looks into is one JSON column.
    static let library = Migration(
        version: 1,
        name: "library",
        sql: """
            CREATE TABLE feed (
                id INTEGER PRIMARY KEY,
                slug TEXT NOT NULL UNIQUE,
                url TEXT NOT NULL,
                title TEXT NOT NULL,
                name TEXT,
                is_subscribed INTEGER NOT NULL DEFAULT 1,
                subscribed_at INTEGER NOT NULL,
                podcast_guid TEXT,
                link TEXT,
                description TEXT,
                image TEXT,
                language TEXT,
                author TEXT,
                type TEXT,
                settings TEXT,
                schedule TEXT,
                details TEXT,
                etag TEXT,
                last_modified TEXT,
                body_hash TEXT,
                episode_count INTEGER NOT NULL DEFAULT 0,
                last_checked INTEGER,
                last_succeeded INTEGER,
                last_full_fetch INTEGER,
                next_check INTEGER,
                failure_count INTEGER NOT NULL DEFAULT 0,
                last_error TEXT,
                last_error_kind TEXT,
                is_gone INTEGER NOT NULL DEFAULT 0
            ) STRICT;

            CREATE TABLE feed_address (
                address TEXT PRIMARY KEY,
                feed_id INTEGER NOT NULL REFERENCES feed (id),
                url TEXT NOT NULL,
                added_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX feed_address_by_feed ON feed_address (feed_id);

            CREATE TABLE live_item (
                feed_id INTEGER NOT NULL REFERENCES feed (id),
                position INTEGER NOT NULL,
                item TEXT NOT NULL,
                PRIMARY KEY (feed_id, position)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE episode (
                id INTEGER PRIMARY KEY,
                feed_id INTEGER NOT NULL REFERENCES feed (id),
                sort_date INTEGER NOT NULL,
                first_seen INTEGER NOT NULL,
                published INTEGER,
                content_hash INTEGER NOT NULL,
                is_listed INTEGER NOT NULL,
                is_suspected_duplicate INTEGER NOT NULL,
                is_old_news INTEGER NOT NULL,
                is_new INTEGER NOT NULL,
                is_played INTEGER NOT NULL DEFAULT 0,
                is_kept INTEGER NOT NULL DEFAULT 0,
                is_downloadable INTEGER NOT NULL,
                position INTEGER NOT NULL DEFAULT 0,
                duration INTEGER,
                season INTEGER,
                episode INTEGER,
                episode_type TEXT,
                identity TEXT NOT NULL,
                guid TEXT,
                title TEXT NOT NULL,
                link TEXT,
                image TEXT,
                enclosure_url TEXT,
                enclosure_type TEXT,
                enclosure_length INTEGER
            ) STRICT;
            CREATE INDEX episode_by_feed ON episode (feed_id, sort_date);
            CREATE INDEX episode_by_date ON episode (sort_date);
            CREATE INDEX episode_new ON episode (sort_date) WHERE is_new = 1;
            CREATE INDEX episode_played ON episode (sort_date) WHERE is_played = 1;
            CREATE INDEX episode_kept ON episode (sort_date) WHERE is_kept = 1;

            CREATE TABLE episode_detail (
                episode_id INTEGER PRIMARY KEY REFERENCES episode (id),
                updated INTEGER,
                is_explicit INTEGER,
                author TEXT,
                status TEXT,
                summary TEXT,
                content_html TEXT,
                chapters TEXT,
                transcript TEXT,
                extras TEXT
            ) STRICT;

            CREATE TABLE download (
                episode_id INTEGER PRIMARY KEY REFERENCES episode (id),
                feed_id INTEGER NOT NULL REFERENCES feed (id),
                state TEXT NOT NULL CHECK (state IN (
                    'none', 'queued', 'waiting', 'active', 'paused',
                    'failed', 'done', 'missing', 'deleted', 'skipped')),
                origin TEXT NOT NULL CHECK (origin IN ('user', 'policy')),
                reason TEXT,
                is_temporary INTEGER NOT NULL DEFAULT 0,
                has_resume_data INTEGER NOT NULL DEFAULT 0,
                requested_at INTEGER NOT NULL,
                changed_at INTEGER NOT NULL,
                not_before INTEGER,
                attempt_count INTEGER NOT NULL DEFAULT 0,
                owner INTEGER,
                rate REAL,
                byte_count INTEGER NOT NULL DEFAULT 0,
                expected_byte_count INTEGER,
                is_expected_exact INTEGER NOT NULL DEFAULT 0,
                folder TEXT,
                file_stem TEXT,
                file_path TEXT,
                finished_at INTEGER,
                is_verified INTEGER NOT NULL DEFAULT 0,
                snapshot_title TEXT,
                snapshot_feed_title TEXT,
                snapshot_published INTEGER,
                snapshot_duration INTEGER,
                snapshot_season INTEGER,
                snapshot_episode INTEGER,
                snapshot_image TEXT,
                snapshot_chapters TEXT,
                content_type TEXT,
                container TEXT,
                codec TEXT
            ) STRICT;
            CREATE INDEX download_by_state ON download (state, byte_count);
            CREATE INDEX download_by_feed ON download (feed_id, state);
            CREATE UNIQUE INDEX download_by_name ON download (folder, file_stem) WHERE folder IS NOT NULL;

            CREATE TABLE journal (
                id INTEGER PRIMARY KEY,
                date INTEGER NOT NULL,
                episode_id INTEGER NOT NULL REFERENCES episode (id),
                event TEXT NOT NULL CHECK (event IN ('state', 'recognised', 'marked', 'suspected')),
                old_value TEXT,
                new_value TEXT,
                reason TEXT
            ) STRICT;
            CREATE INDEX journal_by_episode ON journal (episode_id);
            """
    )

    /// Full-text search over titles, notes, chapters and transcripts.
    ///
    /// The index holds no text of its own: it reads the episodes through a view. The characters that separate
    /// chapters and segments tell where a match stands.
    static let search = Migration(
        version: 2,
        name: "search",
        sql: """
            CREATE VIEW episode_search_text (id, title, notes, chapters, transcript) AS
            SELECT episode.id, episode.title, podget_html_text(coalesce(content_html, summary)),
                podget_chapter_text(chapters), podget_transcript_text(transcript)
            FROM episode JOIN episode_detail ON episode_detail.episode_id = episode.id;

            CREATE VIRTUAL TABLE episode_search USING fts5 (
                title, notes, chapters, transcript, content = 'episode_search_text', content_rowid = 'id',
                tokenize = 'unicode61 remove_diacritics 2', prefix = '3');

            INSERT INTO episode_search (episode_search, rank) VALUES ('rank', 'bm25(10.0, 1.0, 3.0, 1.0)');

            CREATE TABLE search_progress (indexed_up_to INTEGER NOT NULL) STRICT;
            INSERT INTO search_progress (indexed_up_to) VALUES (0);
            CREATE TABLE search_pending (episode_id INTEGER PRIMARY KEY REFERENCES episode (id)) STRICT;
            """
    )

    /// Why the scheduled sync asks a feed again at `next_check`, in words.
    static let nextCheckReason = Migration(
        version: 3,
        name: "reason of the next check",
        sql: "ALTER TABLE feed ADD COLUMN next_check_reason TEXT;"
    )

    /// What is fetched with a download, or found in its file; the search finds it too.
    ///
    /// The feed's own chapters and transcript stay before these, for a refresh writes them.
    static let extras = Migration(
        version: 4,
        name: "extras of downloads",
        sql: """
            CREATE TABLE episode_extra (
                episode_id INTEGER PRIMARY KEY REFERENCES episode (id),
                chapters TEXT,
                transcript TEXT,
                artwork TEXT,
                settled_links TEXT,
                is_complete INTEGER NOT NULL,
                attempt_count INTEGER NOT NULL,
                tried_at INTEGER
            ) STRICT;

            DROP VIEW episode_search_text;
            CREATE VIEW episode_search_text (id, title, notes, chapters, transcript) AS
            SELECT episode.id, episode.title, podget_html_text(coalesce(content_html, summary)),
                podget_chapter_text(coalesce(episode_detail.chapters, episode_extra.chapters)),
                podget_transcript_text(coalesce(episode_detail.transcript, episode_extra.transcript))
            FROM episode JOIN episode_detail ON episode_detail.episode_id = episode.id
            LEFT JOIN episode_extra ON episode_extra.episode_id = episode.id;
            """
    )
}
