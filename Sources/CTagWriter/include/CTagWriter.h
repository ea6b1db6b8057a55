#ifndef PODGET_TAG_WRITER_H
#define PODGET_TAG_WRITER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A chapter mark; times in milliseconds, the title in UTF-8.
typedef struct {
    uint32_t start;
    uint32_t end;
    const char *title;
} podget_chapter;

/// What is to be written into a file: text in UTF-8, NULL or 0 for what stays as it is.
typedef struct {
    const char *title;
    const char *album;
    const char *artist;
    const char *date;
    const char *genre;
    uint32_t track;
    uint32_t disc;

    const char *picture;
    size_t picture_size;
    const char *picture_type;

    const podget_chapter *chapters;
    size_t chapter_count;
} podget_tags;

typedef enum {
    podget_tags_written = 0,
    podget_tags_unknown_format = 1,
    podget_tags_unreadable = 2,
    podget_tags_not_saved = 3,
    /// Its sound is not whole any more, or would lie elsewhere than its tables say: the file is of no use.
    podget_tags_damaging = 4,
} podget_tag_result;

/// The formats that tags are written into.
typedef enum {
    podget_format_mpeg = 0,
    podget_format_mp4 = 1,
    /// Vorbis or Opus.
    podget_format_ogg = 2,
} podget_tag_format;

/// What a file cannot hold, as bits.
enum {
    podget_left_chapters = 1,
    podget_left_picture = 2,
    podget_left_every_chapter = 4,
};

/// Writes tags into a file, in place; `left_out` gets the bits of what was left out because the format cannot hold it.
///
/// An artist, a picture and chapters that the file has already stay.
podget_tag_result podget_write_tags(const char *path, podget_tag_format format, const podget_tags *tags,
                                    uint32_t *left_out);

#ifdef __cplusplus
}
#endif

#endif
