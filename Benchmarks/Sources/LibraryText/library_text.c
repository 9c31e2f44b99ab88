#include "library_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { vocabulary = 30000, paragraphs = 5, words_each = 46, room = 12288 };

static const char *const syllables[32] = {
    "ka", "lo", "mi", "ter", "son", "ve", "ra", "dun", "pel", "is", "gor", "ha", "ny", "bel", "wa", "to",
    "fen", "shi", "or", "lan", "cu", "pri", "de", "mar", "jo", "sta", "wel", "quo", "ba", "rin", "et", "n\xC3\xA9",
};
static const char *const sections[8] = {
    "News", "Profiles", "Harbour life", "Essays", "Letters", "Reviews", "Weather", "Almanac",
};
static const char *const types[4] = {"article", "essay", "gallery", "interview"};

static uint64_t mixed(uint64_t bits) {
    bits += 0x9E3779B97F4A7C15ULL;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31);
}

unsigned long library_pick(long long turn, unsigned long bound) { return (unsigned long)(mixed((uint64_t)turn) % bound); }

struct writer {
    char *at;
    uint64_t state;
};

static void put(struct writer *writer, const char *text) {
    size_t length = strlen(text);
    memcpy(writer->at, text, length);
    writer->at += length;
}

// Ends a string, and says where the next begins.
static char *ended(struct writer *writer) {
    *writer->at++ = 0;
    return writer->at;
}

static uint64_t roll(struct writer *writer) { return writer->state = mixed(writer->state); }

// A few words stand in most texts, and most words in a few.
static void put_word(struct writer *writer) {
    uint64_t bits = roll(writer);
    uint64_t product = (bits & 0xFFFF) * ((bits >> 16) & 0xFFFF) >> 16;
    product = product * ((bits >> 32) & 0xFFFF) >> 16;
    unsigned index = (unsigned)(product * vocabulary >> 16) + 32;
    for (; index > 0; index /= 32) put(writer, syllables[index % 32]);
}

static void put_words(struct writer *writer, int count, const char *between) {
    for (int index = 0; index < count; index += 1) {
        if (index > 0) put(writer, between);
        put_word(writer);
    }
}

// Writes the text twice, with its tags and without.
static void put_body(struct writer *html, struct writer *plain, long number) {
    plain->state = html->state;
    for (int paragraph = 0; paragraph < paragraphs; paragraph += 1) {
        put(html, "<p>");
        if (paragraph > 0) put(plain, " ");
        for (int word = 0; word < words_each; word += 1) {
            int is_emphatic = word % 14 == 7;
            if (word > 0) {
                put(html, " ");
                put(plain, " ");
            }
            if (is_emphatic) put(html, "<em>");
            put_word(html);
            put_word(plain);
            if (is_emphatic) put(html, "</em>");
            if (word % 23 == 20) {
                put(html, " &amp;");
                put(plain, " &");
            }
        }
        if (paragraph == 1 && library_pick(number, 100) < 94) {
            put(html, " harbour");
            put(plain, " harbour");
        }
        if (paragraph == 2 && library_pick(number + (1LL << 40), 100) < 9) {
            put(html, " lantern");
            put(plain, " lantern");
        }
        put(html, ".</p>");
        put(plain, ".");
    }
}

struct article_text *article_text_make(long number) {
    struct article_text *text = malloc(sizeof *text + room);
    char *plain = malloc(room);
    if (text == NULL || plain == NULL) abort();
    struct writer writer = {.at = (char *)(text + 1), .state = mixed((uint64_t)number + (1ULL << 32))};
    char *start = writer.at;
    long author = number % 200;
#define FIELD(field, ...) \
    text->field = writer.at; \
    writer.at += sprintf(writer.at, __VA_ARGS__) + 1
    FIELD(id, "64a0c0ffee00000000%06ld", number % 1000000);
    if (number >= 1000000) text->id[10] = (char)('0' + number / 1000000 % 10);
    FIELD(sku, "org.example.article.%ld", number);
    text->title = writer.at;
    put_words(&writer, 5, " ");
    text->slug = ended(&writer);
    put_words(&writer, 5, "-");
    text->summary = ended(&writer);
    put_words(&writer, 18, " ");
    ended(&writer);
    FIELD(author_name, "Ada Lindqvist %ld", author);
    FIELD(author_url, "https://www.example.org/authors/ada-lindqvist-%ld", author);
    FIELD(author_bio, "Writes about the sea, and has done so for %ld years.", author);
    FIELD(sharing_url, "https://www.example.org/articles/%ld/share", number);
    FIELD(section, "%s", sections[number % 8]);
    FIELD(type, "%s", types[number % 4]);
    FIELD(commentary, "Moved by the editors on day %ld", number % 365);
    for (int index = 0; index < library_keywords; index += 1) {
        FIELD(keywords[index], "keyword %lu", library_pick(number * 4 + index, 100) + 100 * (unsigned long)index);
    }
    FIELD(metadata, "{\"accent\":\"#0a5c7a\",\"readingMinutes\":%ld}", number % 20 + 1);
    for (int index = 0; index < library_assets_each; index += 1) {
        text->assets[index] = writer.at;
        asset_id((number * 7 + index * 13) % library_assets, writer.at);
        writer.at += 25;
    }
    text->body = writer.at;
    struct writer other = {.at = plain};
    put_body(&writer, &other, number);
    *other.at = 0;
    text->plain = ended(&writer);
    put(&writer, plain);
    ended(&writer);
    free(plain);
    if (writer.at - start > room) abort();
    text->date = 700000000.5 + (double)number * 60;
    text->updated = text->date + 0.25;
    return text;
}

void article_text_free(struct article_text *text) { free(text); }

void asset_id(long number, char id[25]) { snprintf(id, 25, "64c0c0ffee00000000%06lu", (unsigned long)number % 1000000); }

void issue_id(long number, char id[25]) { snprintf(id, 25, "64b0c0ffee00000000%06lu", (unsigned long)number % 1000000); }

void asset_caption(long number, char caption[128]) {
    struct writer writer = {.at = caption, .state = mixed((uint64_t)number + (1ULL << 48))};
    put_words(&writer, 6, " ");
    ended(&writer);
}
