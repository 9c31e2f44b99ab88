// The articles of the area `library`: made up, and letter by letter the same for every side.

#ifndef LIBRARY_TEXT_H
#define LIBRARY_TEXT_H

enum {
    library_keywords = 3,
    library_assets_each = 2,
    // How many assets there are for articles to show.
    library_assets = 1000,
    library_issue_size = 50,
};

// What an article says; one block of memory, which `article_text_free` gives back.
struct article_text {
    char *id, *sku, *title, *slug, *summary, *author_name, *author_url, *author_bio, *sharing_url, *section, *type;
    char *commentary, *keywords[library_keywords], *metadata, *assets[library_assets_each];
    // The text as HTML, and as what it says to a reader.
    char *body, *plain;
    double date, updated;
};

// Makes the article of a number. Of 100, 94 say "harbour" and 9 say "lantern".
struct article_text *article_text_make(long number);
void article_text_free(struct article_text *text);

// What the asset of a number is called, and its caption.
void asset_id(long number, char id[25]);
void asset_caption(long number, char caption[128]);

// The issue that holds the articles from 50 times its number on.
void issue_id(long number, char id[25]);

// A number below a bound, without an order, the same for every side.
unsigned long library_pick(long long turn, unsigned long bound);

#endif
