// SPDX-License-Identifier: Apache-2.0
// Constants that are sent by value: findings and marks may be of another call, whose code
// lies elsewhere on each rank. A rank has one copy of each that it received, until it leaves.
#include <stdlib.h>
#include <string.h>
#include "prt_ranks.h"
#include "prt_wire.h"
#include "prt_interned.h"

typedef enum Kind { TEXT, NUMBERS, NAMES, SITE } Kind;

struct prt_interned {
  struct prt_interned *next;
  Kind kind;
  size_t bytes;
  prt_site site;      // its texts are in the words
  const char **names; // they, too
  uint64_t words[];   // as they were received
};

void prt__interned_free(prt_interned *list) {
  for (prt_interned *next; list; list = next) {
    next = list->next;
    free(list->names);
    free(list);
  }
}

// The list's, new if nothing there has these bytes. NULL: no memory.
static prt_interned *intern(prt_ranks *r, Kind kind, const prt_site *caller, const void *bytes,
                            size_t count, bool *is_new) {
  *is_new = false;
  for (prt_interned *known = r->led.interned; known; known = known->next)
    if (known->kind == kind && known->bytes == count && known->site.caller == caller &&
        memcmp(known->words, bytes, count) == 0)
      return known;
  prt_interned *made = malloc(sizeof *made + PRT_PADDED(count));
  if (!made) return NULL;
  *is_new = true;
  *made = (prt_interned){
      .next = r->led.interned, .kind = kind, .bytes = count, .site = {.caller = caller}};
  memcpy(made->words, bytes, count);
  r->led.interned = made;
  return made;
}

static prt_interned *get(prt_words *words, prt_ranks *r, Kind kind, const prt_site *caller,
                         bool *is_new) {
  size_t count;
  const void *bytes = prt__get_bytes(words, &count);
  prt_interned *known = bytes ? intern(r, kind, caller, bytes, count, is_new) : NULL;
  words->failed |= bytes && !known;
  return known;
}

static prt_words words_of(const prt_interned *interned) {
  return (prt_words){interned->words, interned->words + interned->bytes / sizeof(uint64_t), false};
}

const char *prt__get_word(prt_words *words, prt_ranks *r) {
  bool is_new;
  const prt_interned *word = get(words, r, TEXT, NULL, &is_new);
  const char *text = word ? (const char *)word->words : NULL;
  words->failed |= text && text[word->bytes - 1] != 0;
  return words->failed ? NULL : text;
}

const int64_t *prt__get_kept_numbers(prt_words *words, prt_ranks *r, int32_t *count) {
  bool is_new;
  const prt_interned *numbers = get(words, r, NUMBERS, NULL, &is_new);
  *count = numbers ? (int32_t)(numbers->bytes / sizeof(int64_t)) : 0;
  return numbers ? (const int64_t *)numbers->words : NULL;
}

// ---- names --------------------------------------------------------------------------------------
void prt__put_names(prt_wire *wire, const char *const *names, int32_t count) {
  prt_wire inner = {0};
  for (int32_t i = 0; names && i < count; i++) prt__put_text(&inner, names[i]);
  wire->failed |= inner.failed;
  prt__put_bytes(wire, inner.words, inner.count * sizeof *inner.words);
  free(inner.words);
}

const char *const *prt__get_names(prt_words *words, prt_ranks *r, int32_t count) {
  bool is_new = false;
  prt_interned *interned = get(words, r, NAMES, NULL, &is_new);
  if (!interned) return NULL;
  prt_words inner = words_of(interned);
  int32_t reported = 0;
  if (is_new) interned->names = calloc(interned->bytes / sizeof(uint64_t), sizeof(char *));
  while (is_new && interned->names && inner.at < inner.end)
    interned->names[reported++] = prt__get_text(&inner);
  words->failed |= !interned->names || inner.failed || (is_new && reported != count);
  return words->failed ? NULL : interned->names;
}

// ---- places in the source -----------------------------------------------------------------------
// Who called comes first.
void prt__put_site(prt_wire *wire, const prt_site *site) {
  prt_wire inner = {0};
  if (site) {
    prt__put_number(wire, 1);
    prt__put_site(wire, site->caller);
    prt__put_number(&inner, site->line);
    prt__put_number(&inner, site->column);
    prt__put_number(&inner, site->end_column);
    prt__put_text(&inner, site->file);
    prt__put_text(&inner, site->source);
    prt__put_text(&inner, site->function);
    wire->failed |= inner.failed;
    prt__put_bytes(wire, inner.words, inner.count * sizeof *inner.words);
    free(inner.words);
  } else {
    prt__put_number(wire, 0);
  }
}

static void read_site(prt_site *site, prt_words *inner) {
  site->line = (int32_t)prt__get_number(inner);
  site->column = (int32_t)prt__get_number(inner);
  site->end_column = (int32_t)prt__get_number(inner);
  site->file = prt__get_text(inner);
  site->source = prt__get_text(inner);
  site->function = prt__get_text(inner);
}

const prt_site *prt__get_site(prt_words *words, prt_ranks *r) {
  bool is_new = false;
  if (!prt__get_number(words) || words->failed) return NULL;
  const prt_site *caller = prt__get_site(words, r);
  prt_interned *interned = words->failed ? NULL : get(words, r, SITE, caller, &is_new);
  if (!interned) return NULL;
  prt_words inner = words_of(interned);
  if (is_new) read_site(&interned->site, &inner);
  words->failed |= inner.failed;
  return &interned->site;
}
