// The part of TagLib that podget needs, behind a C interface.

#include "CTagWriter.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <attachedpictureframe.h>
#include <chapterframe.h>
#include <flacpicture.h>
#include <id3v2tag.h>
#include <mp4atom.h>
#include <mp4coverart.h>
#include <mp4file.h>
#include <mp4tag.h>
#include <mpegfile.h>
#include <opusfile.h>
#include <tableofcontentsframe.h>
#include <textidentificationframe.h>
#include <tpropertymap.h>
#include <vorbisfile.h>
#include <xiphcomment.h>

using namespace TagLib;

namespace {

String utf8(const char *text) { return String(text, String::UTF8); }

/// A number in the place of another, with the total that may stand behind it: `3/9`.
String numbered(const String &former, uint32_t number) {
    const int slash = former.find("/");
    return String::number(int(number)) + (slash >= 0 ? former.substr(slash) : String());
}

/// The fields that MP4 and Ogg have by the same names.
void set_fields(PropertyMap &fields, const podget_tags &tags) {
    auto set = [&](const char *name, const char *value) {
        if (value) fields.replace(name, StringList(utf8(value)));
    };
    set("TITLE", tags.title);
    set("ALBUM", tags.album);
    set("DATE", tags.date);
    set("GENRE", tags.genre);
    if (fields["ARTIST"].isEmpty()) set("ARTIST", tags.artist);
    auto number = [&](const char *name, uint32_t value) {
        if (value) fields.replace(name, StringList(numbered(fields[name].toString(), value)));
    };
    number("TRACKNUMBER", tags.track);
    number("DISCNUMBER", tags.disc);
}

ByteVector picture_bytes(const podget_tags &tags) { return ByteVector(tags.picture, (unsigned int)tags.picture_size); }

/// A chapter frame with its title (ID3v2 Chapter Frame Addendum §3.1).
ID3v2::Frame *chapter_frame(const ByteVector &element, const podget_chapter &chapter) {
    const unsigned int none = 0xFFFFFFFF;
    auto frame = new ID3v2::ChapterFrame(element, chapter.start, chapter.end, none, none);
    if (chapter.title) {
        auto title = new ID3v2::TextIdentificationFrame("TIT2", String::UTF8);
        title->setText(utf8(chapter.title));
        frame->addEmbeddedFrame(title);
    }
    return frame;
}

/// How many entries a table of contents has at most: their count is one byte (ID3v2 Chapter Frame Addendum §3.2).
const size_t entry_limit = 255;

ByteVector element_id(const char *stem, size_t number) {
    const std::string name = stem + std::to_string(number);
    return ByteVector(name.c_str(), (unsigned int)name.size());
}

ID3v2::TableOfContentsFrame *contents_frame(const ByteVector &element, const ByteVectorList &entries) {
    auto contents = new ID3v2::TableOfContentsFrame(element, entries);
    contents->setIsOrdered(true);
    return contents;
}

/// Writes chapters, and more than one table can name into tables that the main one names.
void add_chapters(ID3v2::Tag &tag, const podget_tags &tags, uint32_t &left_out) {
    if (!tag.frameList("CHAP").isEmpty() || tags.chapter_count == 0) return;
    tag.removeFrames("CTOC");
    size_t count = tags.chapter_count;
    if (count > entry_limit * entry_limit) {
        count = entry_limit * entry_limit;
        left_out |= podget_left_chapters;
    }
    ByteVectorList entries, tables;
    for (size_t place = 0; place < count; place++) {
        const ByteVector element = element_id("chp", place);
        entries.append(element);
        tag.addFrame(chapter_frame(element, tags.chapters[place]));
        const bool is_last = place + 1 == count;
        if (count <= entry_limit || (entries.size() < entry_limit && !is_last)) continue;
        const ByteVector table = element_id("toc", tables.size() + 1);
        tables.append(table);
        tag.addFrame(contents_frame(table, entries));
        entries = ByteVectorList();
    }
    auto contents = contents_frame(ByteVector("toc", 3), tables.isEmpty() ? entries : tables);
    contents->setIsTopLevel(true);
    tag.addFrame(contents);
}

/// Puts one text in the place of all frames of a name (ID3v2.4.0 native frames §4.2), where the first of them stands.
void set_frame(ID3v2::Tag &tag, const char *name, const String &text) {
    const ID3v2::FrameList frames = tag.frameList(name);
    ID3v2::TextIdentificationFrame *first = nullptr;
    for (ID3v2::Frame *frame : frames) {
        auto text_frame = dynamic_cast<ID3v2::TextIdentificationFrame *>(frame);
        if (text_frame && !first) {
            first = text_frame;
        } else {
            tag.removeFrame(frame);
        }
    }
    if (!first) {
        first = new ID3v2::TextIdentificationFrame(name, String::UTF8);
        tag.addFrame(first);
    }
    first->setTextEncoding(String::UTF8);
    first->setText(text);
}

/// As `set_fields`, without the map of properties: written back, it would lose frames that it cannot hold.
void set_frames(ID3v2::Tag &tag, const podget_tags &tags) {
    auto set = [&](const char *name, const char *value) {
        if (value) set_frame(tag, name, utf8(value));
    };
    set("TIT2", tags.title);
    set("TALB", tags.album);
    set("TDRC", tags.date);
    set("TCON", tags.genre);
    if (tag.artist().isEmpty()) set("TPE1", tags.artist);
    auto number = [&](const char *name, uint32_t value) {
        const ID3v2::FrameList &frames = tag.frameList(name);
        if (value) set_frame(tag, name, numbered(frames.isEmpty() ? String() : frames.front()->toString(), value));
    };
    number("TRCK", tags.track);
    number("TPOS", tags.disc);
}

podget_tag_result write_mpeg(const char *path, const podget_tags &tags, uint32_t &left_out) {
    MPEG::File file(path, false);
    if (!file.isValid()) return podget_tags_unreadable;
    ID3v2::Tag &tag = *file.ID3v2Tag(true);
    set_frames(tag, tags);
    if (tags.picture && tag.frameList("APIC").isEmpty()) {
        auto picture = new ID3v2::AttachedPictureFrame;
        picture->setType(ID3v2::AttachedPictureFrame::FrontCover);
        picture->setMimeType(utf8(tags.picture_type));
        picture->setPicture(picture_bytes(tags));
        tag.addFrame(picture);
    }
    add_chapters(tag, tags, left_out);
    // What other tags the file has stays as it is.
    return file.save(MPEG::File::ID3v2, File::StripNone, ID3v2::v4, File::DoNotDuplicate) ? podget_tags_written
                                                                                         : podget_tags_not_saved;
}

/// Chapters as Nero's `chpl` box in `moov.udta`, which TagLib itself leaves alone.
///
/// Version 1: four reserved bytes, the count in one byte; for each the start in units of 100 ns (eight bytes), the length
/// of the title in one byte, and the title in UTF-8.
ByteVector chapter_list(const podget_tags &tags, uint32_t &left_out) {
    const size_t count_limit = 255, title_limit = 255;
    if (tags.chapter_count > count_limit) left_out |= podget_left_chapters;
    const size_t count = std::min(tags.chapter_count, count_limit);
    ByteVector body("\x01\0\0\0\0\0\0\0", 8);
    body.append(char(count));
    for (size_t place = 0; place < count; place++) {
        const podget_chapter &chapter = tags.chapters[place];
        std::string title = chapter.title ? chapter.title : "";
        if (title.size() > title_limit) {
            size_t end = title_limit;
            // Not within a character.
            while (end > 0 && (title[end] & 0xC0) == 0x80) end--;
            title.resize(end);
        }
        body.append(ByteVector::fromLongLong(chapter.start * 10000LL));
        body.append(char(title.size()));
        body.append(ByteVector(title.data(), (unsigned int)title.size()));
    }
    return ByteVector::fromUInt(body.size() + 8) + ByteVector("chpl", 4) + body;
}

/// Whether a track has another for its chapters (QuickTime File Format, track reference `chap`).
bool has_chapter_track(File &file, MP4::Atom &moov) {
    for (MP4::Atom *track : moov.findall("trak")) {
        for (MP4::Atom *child : track->children) {
            if (child->name != "tref") continue;
            file.seek(child->offset + 8);
            if (file.readBlock(std::min<unsigned long>(child->length - 8, 4096)).find("chap") >= 0) return true;
        }
    }
    return false;
}

/// A table of places in the file: `stco` with four bytes each, `co64` with eight (ISO/IEC 14496-12 §8.7.5).
struct PlaceTable {
    MP4::Atom *atom;
    unsigned int width;
    ByteVector entries;
};

/// The tables of a file, their places beyond `start` moved by `length`; false where one is damaged or full.
bool moved_places(File &file, MP4::Atom &moov, long start, long length, std::vector<PlaceTable> &tables) {
    for (unsigned int width : {4u, 8u}) {
        for (MP4::Atom *atom : moov.findall(width == 4 ? "stco" : "co64", true)) {
            file.seek(atom->offset + 12);
            const ByteVector count_bytes = file.readBlock(4);
            if (atom->length < 16 || count_bytes.size() != 4) return false;
            const unsigned long long size = (unsigned long long)count_bytes.toUInt() * width;
            if (size > (unsigned long long)atom->length - 16) return false;
            ByteVector entries = file.readBlock(size);
            if (entries.size() != size) return false;
            ByteVector moved;
            for (unsigned int at = 0; at < size; at += width) {
                long long place = width == 4 ? entries.toUInt(at) : entries.toLongLong(at);
                if (place >= start) place += length;
                if (width == 4 && place > 0xFFFFFFFFLL) return false;
                moved.append(width == 4 ? ByteVector::fromUInt(place) : ByteVector::fromLongLong(place));
            }
            tables.push_back({atom, width, moved});
        }
    }
    return true;
}

/// Adds `length` to the size of a box; a size of 0 means up to the end of the file.
void grow(File &file, MP4::Atom &atom, long length) {
    file.seek(atom.offset);
    const unsigned int size = file.readBlock(4).toUInt();
    if (size == 1) {
        file.seek(atom.offset + 8);
        const long long long_size = file.readBlock(8).toLongLong();
        file.seek(atom.offset + 8);
        file.writeBlock(ByteVector::fromLongLong(long_size + length));
    } else if (size != 0) {
        file.seek(atom.offset);
        file.writeBlock(ByteVector::fromUInt(size + length));
    }
}

/// Writes chapters into a file that TagLib has just written tags into, so that `moov.udta` is there.
///
/// Chapters that are there stay.
void add_chapters(MP4::File &file, const podget_tags &tags, uint32_t &left_out) {
    if (tags.chapter_count == 0) return;
    MP4::Atoms atoms(&file);
    MP4::Atom *moov = atoms.find("moov");
    MP4::Atom *data = atoms.find("moov", "udta");
    if (!moov || !data) {
        left_out |= podget_left_every_chapter;
        return;
    }
    if (atoms.find("moov", "udta", "chpl") || has_chapter_track(file, *moov)) return;
    uint32_t left_of_list = 0;
    const ByteVector list = chapter_list(tags, left_of_list);
    file.seek(data->offset);
    const long start = data->offset + (file.readBlock(4).toUInt() == 1 ? 16 : 8);
    std::vector<PlaceTable> tables;
    if (!moved_places(file, *moov, start, list.size(), tables)) {
        left_out |= podget_left_every_chapter;
        return;
    }
    left_out |= left_of_list;
    for (const PlaceTable &table : tables) {
        file.seek(table.atom->offset + 16);
        file.writeBlock(table.entries);
    }
    grow(file, *moov, list.size());
    grow(file, *data, list.size());
    file.insert(list, start);
}

/// A sum of bytes that tells two sounds apart (FNV-1a); no defence against who makes two alike.
class ByteSum {
  public:
    void add(const unsigned char *bytes, size_t count) {
        for (size_t index = 0; index < count; index++) value = (value ^ bytes[index]) * 1099511628211ULL;
    }
    unsigned long long value = 14695981039346656037ULL;
};

/// The sound of a file, as what no tag may change; read without TagLib, which loses its way in boxes that players read, and
/// takes no notice of writes that fail.
struct Sound {
    unsigned long long sum = 0;

    /// The first bytes of every chunk that the tables of an MP4 file point to, in their order.
    std::vector<std::array<char, 16>> beginnings;
    bool is_in_fragments = false;
    bool is_damaged = false;

    bool operator==(const Sound &other) const {
        return sum == other.sum && beginnings == other.beginnings && is_damaged == other.is_damaged;
    }
};

/// A file that is read from its beginning on, or at places.
class Reader {
  public:
    explicit Reader(const char *path) : file(std::fopen(path, "rb")) {
        if (file && std::fseek(file, 0, SEEK_END) == 0) end = std::ftell(file);
    }
    ~Reader() {
        if (file) std::fclose(file);
    }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    bool seek(long long place) { return file && std::fseek(file, place, SEEK_SET) == 0; }
    size_t read(void *bytes, size_t count) { return file ? std::fread(bytes, 1, count, file) : 0; }
    bool reads(void *bytes, size_t count) { return read(bytes, count) == count; }

    /// Adds so many bytes from here on; what is missing is missing in the sum.
    void add_to(ByteSum &sum, unsigned long long count) {
        unsigned char block[1 << 16];
        while (count > 0) {
            const size_t got = read(block, std::min<unsigned long long>(count, sizeof block));
            if (got == 0) return;
            sum.add(block, got);
            count -= got;
        }
    }

    /// The size of the file; negative where it cannot be read.
    long long end = -1;

  private:
    std::FILE *file;
};

unsigned long long big_endian(const unsigned char *bytes, int width) {
    unsigned long long value = 0;
    for (int index = 0; index < width; index++) value = value << 8 | bytes[index];
    return value;
}

/// Reads the boxes of an MP4 file (ISO/IEC 14496-12 §4.2): their media data, and the beginning of each chunk.
class MP4Sound {
  public:
    explicit MP4Sound(const char *path) : file(path) {}

    Sound read() {
        sound.is_damaged = file.end < 0;
        walk(0, file.end, 0);
        for (const long long place : places) {
            std::array<char, 16> bytes{};
            // What follows the last chunk of a box is no sound; of one beyond the end there is none, before and after.
            const auto box = std::find_if(ends.begin(), ends.end(), [&](long long end) { return end > place; });
            const long long end = box == ends.end() ? file.end : *box;
            const long long count = std::min<long long>(bytes.size(), end - place);
            if (count > 0 && file.seek(place)) (void)file.read(bytes.data(), size_t(count));
            sound.beginnings.push_back(bytes);
        }
        sound.sum = sum.value;
        return sound;
    }

  private:
    Reader file;
    Sound sound;
    ByteSum sum;
    std::vector<long long> places;

    /// Where the boxes of the file end, in their order.
    std::vector<long long> ends;

    /// The boxes on the way to the tables of places, the outermost first.
    static constexpr const char *way[] = {"moov", "trak", "mdia", "minf", "stbl"};

    void walk(long long start, long long end, size_t depth) {
        while (end - start >= 8) {
            unsigned char head[16];
            if (!file.seek(start) || !file.reads(head, 8)) return;
            unsigned long long size = big_endian(head, 4);
            long long body = start + 8;
            if (size == 1) {
                if (!file.reads(head + 8, 8)) return;
                size = big_endian(head + 8, 8);
                body += 8;
            } else if (size == 0) {
                // Up to the end; within a box it is the mark after its last one.
                if (depth > 0) return;
                size = (unsigned long long)(end - start);
            }
            if (size < (unsigned long long)(body - start) || size > (unsigned long long)(end - start)) {
                // Beside the sound, what is cut is nothing.
                if (depth > 0) sound.is_damaged = true;
                return;
            }
            const std::string name(reinterpret_cast<char *>(head) + 4, 4);
            const long long next = start + (long long)size;
            if ((depth == 0 && name == "moof") || (depth == 1 && name == "mvex")) sound.is_in_fragments = true;
            if (depth == 0) ends.push_back(next);
            if (depth == 0 && name == "mdat") file.add_to(sum, (unsigned long long)(next - body));
            if (depth < 5 && name == way[depth]) {
                walk(body, next, depth + 1);
            } else if (depth == 5 && (name == "stco" || name == "co64")) {
                read_places(body, next, name == "stco" ? 4 : 8);
            }
            start = next;
        }
    }

    void read_places(long long body, long long end, int width) {
        unsigned char bytes[8];
        if (end - body < 8 || !file.seek(body + 4) || !file.reads(bytes, 4)) {
            sound.is_damaged = true;
            return;
        }
        const unsigned long long count = big_endian(bytes, 4);
        if (count > (unsigned long long)(end - body - 8) / width) {
            sound.is_damaged = true;
            return;
        }
        for (unsigned long long index = 0; index < count && file.reads(bytes, width); index++) {
            const unsigned long long place = big_endian(bytes, width);
            places.push_back(place > (unsigned long long)LONG_MAX ? LONG_MAX : (long long)place);
        }
    }
};

/// All that follows the ID3v2 tags at the beginning (ID3v2.4.0 structure §3.1) and the zeros behind them: of several tags
/// TagLib leaves one.
Sound mpeg_sound(const char *path) {
    Reader file(path);
    Sound sound;
    unsigned char head[10];
    long long start = 0;
    while (file.seek(start) && file.reads(head, 10) && std::string(reinterpret_cast<char *>(head), 3) == "ID3") {
        start += 10 + ((head[6] & 0x7F) << 21 | (head[7] & 0x7F) << 14 | (head[8] & 0x7F) << 7 | (head[9] & 0x7F));
        if (head[5] & 0x10) start += 10;
        unsigned char byte = 0;
        long long zeros = 0;
        for (file.seek(start); file.reads(&byte, 1) && byte == 0;) zeros++;
        start += zeros;
    }
    sound.is_damaged = file.end < start || !file.seek(start);
    ByteSum sum;
    file.add_to(sum, (unsigned long long)std::max(0LL, file.end - start));
    sound.sum = sum.value;
    return sound;
}

/// All packets of an Ogg file but the second of its first stream, which holds the comments (RFC 3533 §6).
///
/// The pages around them may be numbered anew.
Sound ogg_sound(const char *path) {
    Reader file(path);
    Sound sound;
    ByteSum sum;
    unsigned char head[27], lengths[255], body[255];
    unsigned long long serial = 0, packet = 0;
    bool is_first = true;
    sound.is_damaged = !file.seek(0);
    while (file.reads(head, sizeof head)) {
        if (std::string(reinterpret_cast<char *>(head), 4) != "OggS") {
            // Behind the last page something else may stand, such as a tag of another kind.
            sound.is_damaged = is_first;
            sum.add(head, sizeof head);
            file.add_to(sum, ~0ULL);
            break;
        }
        const unsigned long long page_serial = big_endian(head + 14, 4);
        if (is_first) serial = page_serial;
        is_first = false;
        if (!file.reads(lengths, head[26])) break;
        for (int segment = 0; segment < head[26]; segment++) {
            const size_t got = file.read(body, lengths[segment]);
            const bool is_ours = page_serial == serial;
            if (!is_ours || packet != 1) {
                sum.add(body, got);
                // Where a packet ends belongs to the sound.
                if (lengths[segment] < 255) sum.add(lengths + segment, 1);
            }
            if (is_ours && lengths[segment] < 255) packet++;
        }
        // The mark of the last page, which a cut file has not.
        const unsigned char is_last = head[5] & 4;
        if (is_last) sum.add(&is_last, 1);
    }
    sound.sum = sum.value;
    return sound;
}

Sound read_sound(const char *path, podget_tag_format format) {
    switch (format) {
    case podget_format_mpeg: return mpeg_sound(path);
    case podget_format_mp4: return MP4Sound(path).read();
    case podget_format_ogg: return ogg_sound(path);
    }
    return Sound();
}

/// Writes all but the chapters.
podget_tag_result write_mp4_fields(const char *path, const podget_tags &tags, uint32_t &left_out) {
    MP4::File file(path, false);
    if (!file.isValid() || !file.tag()) return podget_tags_unreadable;
    PropertyMap fields = file.properties();
    set_fields(fields, tags);
    file.setProperties(fields);
    const std::string type = tags.picture_type ? tags.picture_type : "";
    const bool is_jpeg = type == "image/jpeg";
    const bool is_wanted = tags.picture && !file.tag()->contains("covr");
    if (is_wanted && !is_jpeg && type != "image/png") {
        left_out |= podget_left_picture;
    } else if (is_wanted) {
        MP4::CoverArtList pictures;
        pictures.append(MP4::CoverArt(is_jpeg ? MP4::CoverArt::JPEG : MP4::CoverArt::PNG, picture_bytes(tags)));
        file.tag()->setItem("covr", pictures);
    }
    return file.save() ? podget_tags_written : podget_tags_not_saved;
}

podget_tag_result write_mp4(const char *path, const podget_tags &tags, uint32_t &left_out) {
    const podget_tag_result result = write_mp4_fields(path, tags, left_out);
    if (result != podget_tags_written) return result;
    // Opened anew: what was written is on the disk now, and its boxes lie elsewhere.
    MP4::File file(path, false);
    if (!file.isValid()) return podget_tags_not_saved;
    add_chapters(file, tags, left_out);
    return podget_tags_written;
}

/// Chapters as Vorbis comments: CHAPTER001=00:00:00.000 and CHAPTER001NAME=title.
/// Their number has three digits.
void add_chapters(Ogg::XiphComment &tag, const podget_tags &tags, uint32_t &left_out) {
    if (tag.contains("CHAPTER001") || tag.contains("CHAPTER000")) return;
    if (tags.chapter_count > 999) left_out |= podget_left_chapters;
    for (size_t place = 0; place < tags.chapter_count && place < 999; place++) {
        const podget_chapter &chapter = tags.chapters[place];
        const unsigned int seconds = chapter.start / 1000;
        char name[16], time[32];
        snprintf(name, sizeof name, "CHAPTER%03u", unsigned(place + 1));
        snprintf(time, sizeof time, "%02u:%02u:%02u.%03u", seconds / 3600, seconds / 60 % 60, seconds % 60,
                 chapter.start % 1000);
        tag.addField(name, time);
        if (chapter.title) tag.addField(String(name) + "NAME", utf8(chapter.title));
    }
}

template <typename OggFile> podget_tag_result write_ogg(const char *path, const podget_tags &tags, uint32_t &left_out) {
    OggFile file(path, false);
    if (!file.isValid() || !file.tag()) return podget_tags_unreadable;
    PropertyMap fields = file.properties();
    set_fields(fields, tags);
    file.setProperties(fields);
    Ogg::XiphComment &tag = *file.tag();
    if (tags.picture && tag.pictureList().isEmpty()) {
        auto picture = new FLAC::Picture;
        picture->setType(FLAC::Picture::FrontCover);
        picture->setMimeType(utf8(tags.picture_type));
        picture->setData(picture_bytes(tags));
        tag.addPicture(picture);
    }
    add_chapters(tag, tags, left_out);
    return file.save() ? podget_tags_written : podget_tags_not_saved;
}

podget_tag_result write_tags(const char *path, podget_tag_format format, const podget_tags &tags, uint32_t &left_out) {
    switch (format) {
    case podget_format_mpeg: return write_mpeg(path, tags, left_out);
    case podget_format_mp4: return write_mp4(path, tags, left_out);
    case podget_format_ogg: {
        const podget_tag_result result = write_ogg<Ogg::Vorbis::File>(path, tags, left_out);
        return result == podget_tags_unreadable ? write_ogg<Ogg::Opus::File>(path, tags, left_out) : result;
    }
    }
    return podget_tags_unknown_format;
}

} // namespace

podget_tag_result podget_write_tags(const char *path, podget_tag_format format, const podget_tags *tags,
                                    uint32_t *left_out) {
    *left_out = 0;
    try {
        const Sound before = read_sound(path, format);
        // Each fragment may tell places of its own.
        if (before.is_in_fragments || before.is_damaged) return podget_tags_unreadable;
        const podget_tag_result result = write_tags(path, format, *tags, *left_out);
        if (result != podget_tags_written) return result;
        return read_sound(path, format) == before ? podget_tags_written : podget_tags_damaging;
    } catch (...) {
        // No memory, most likely; nothing may pass into Swift.
        return podget_tags_not_saved;
    }
}
