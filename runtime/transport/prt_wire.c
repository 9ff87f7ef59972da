// SPDX-License-Identifier: Apache-2.0
// Words between ranks: see prt_wire.h. All ranks run one program, of which what a call runs was
// compiled the same way and loaded as one piece: a constant of it is as far from the descriptor of
// the entry point on each of them, and one of the runtime as far from a function of it. The hash
// that a launch begins with compares some of these distances. Another call may be another piece.
#include "machine/prt_call.h"
#include "tasks/prt_task.h"
#include "prt_wire.h"
#include "prt_interned.h"
#include <stdlib.h>
#include <string.h>

// ---- numbers and bytes --------------------------------------------------------------------------
static bool grow(prt_wire *wire, size_t more) {
  enum { FEWEST = 256 };
  if (wire->failed) return false;
  if (wire->count + more <= wire->room) return true;
  size_t room = wire->room ? 2 * wire->room : FEWEST;
  while (room < wire->count + more) room *= 2;
  uint64_t *words = realloc(wire->words, room * sizeof *words);
  if (!words) {
    wire->failed = true;
    return false;
  }
  wire->words = words;
  wire->room = room;
  return true;
}

void prt__put_number(prt_wire *wire, int64_t number) {
  if (grow(wire, 1)) wire->words[wire->count++] = (uint64_t)number;
}

void prt__put_bytes(prt_wire *wire, const void *bytes, size_t count) {
  size_t words = (count + 7) / 8;
  prt__put_number(wire, (int64_t)count);
  if (!words || !grow(wire, words)) return;
  wire->words[wire->count + words - 1] = 0;
  memcpy(wire->words + wire->count, bytes, count);
  wire->count += words;
}

void prt__put_words(prt_wire *wire, prt_wire *from) {
  wire->failed |= from->failed;
  if (from->count && grow(wire, from->count)) {
    memcpy(wire->words + wire->count, from->words, from->count * sizeof *from->words);
    wire->count += from->count;
  }
  from->count = 0;
}

void prt__put_text(prt_wire *wire, const char *text) {
  prt__put_bytes(wire, text, text ? strlen(text) + 1 : 0);
}

void prt__put_numbers(prt_wire *wire, const int64_t *numbers, int32_t count) {
  prt__put_bytes(wire, numbers, (size_t)count * sizeof *numbers);
}

int64_t prt__get_number(prt_words *words) {
  if (words->at < words->end) return (int64_t)*words->at++;
  words->failed = true;
  return 0;
}

const void *prt__get_bytes(prt_words *words, size_t *count) {
  *count = (size_t)prt__get_number(words);
  size_t left = (size_t)(words->end - words->at), needed = *count / 8 + (*count % 8 != 0);
  const void *bytes = words->at;
  if (needed > left) {
    words->failed = true;
    *count = 0;
    return NULL;
  }
  words->at += needed;
  return *count ? bytes : NULL;
}

const char *prt__get_text(prt_words *words) {
  size_t count;
  const char *text = prt__get_bytes(words, &count);
  return text && text[count - 1] == 0 ? text : NULL;
}

const int64_t *prt__get_numbers(prt_words *words, int32_t *count) {
  size_t bytes;
  const int64_t *numbers = prt__get_bytes(words, &bytes);
  *count = (int32_t)(bytes / sizeof *numbers);
  return numbers;
}

// ---- constants ----------------------------------------------------------------------------------
enum { NOTHING, OF_PROGRAM, OF_RUNTIME };

static uintptr_t anchor_of(const prt_call *call, int32_t image) {
  return image == OF_PROGRAM ? (uintptr_t)call->entry : (uintptr_t)prt_version();
}

static uint64_t distance(uintptr_t a, uintptr_t b) { return a > b ? a - b : b - a; }

// Whichever of the two it is nearer to: they are apart, or one image.
void prt__put_constant(prt_wire *wire, const prt_call *call, const void *constant) {
  uintptr_t at = (uintptr_t)constant, program = anchor_of(call, OF_PROGRAM),
            runtime = anchor_of(call, OF_RUNTIME);
  int32_t image = !constant                                        ? NOTHING
                  : distance(at, program) <= distance(at, runtime) ? OF_PROGRAM
                                                                   : OF_RUNTIME;
  prt__put_number(wire, image ? (int64_t)(at - anchor_of(call, image)) * 4 + image : 0);
}

const void *prt__get_constant(prt_words *words, const prt_call *call) {
  int64_t reported = prt__get_number(words);
  int32_t image = (int32_t)(reported & 3);
  int64_t away = (reported - image) / 4;
  return image ? (const void *)(anchor_of(call, image) + (uintptr_t)away) : NULL;
}

uint64_t prt__hash(uint64_t hash, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001B3u;
  return hash;
}

uint64_t prt__layout_of(const prt_call *call, const prt_program *program) {
  uint64_t hash = 0;
  const prt_act *act = program->act_count ? program->acts : NULL;
  const prt_buffer *buffer = program->buffer_count ? program->buffers : NULL;
  const void *const constants[] = {program,
                                   program->name,
                                   program->site,
                                   program->site ? program->site->file : NULL,
                                   program->sizes,
                                   act,
                                   act ? act->site : NULL,
                                   buffer,
                                   buffer ? buffer->name : NULL,
                                   call->entry->name};
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
    uintptr_t at = (uintptr_t)constants[i];
    int64_t away = at ? (int64_t)(at - (uintptr_t)call->entry) : 0;
    hash = prt__hash(hash, &away, sizeof away);
  }
  return hash;
}

// ---- memory -------------------------------------------------------------------------------------
enum { RANK_SHIFT = 48 }; // addresses of programs have fewer bits

void prt__put_memory(prt_wire *wire, const prt_schedule *s, const void *memory) {
  prt_place place = {0};
  int32_t owner;
  if (memory && !prt__place_of(s, memory, &place, &owner))
    place = (prt_place){
        .offset = (int64_t)((uintptr_t)memory | (uintptr_t)(s->ranks->rank + 1) << RANK_SHIFT)};
  prt__put_bytes(wire, &place, sizeof place);
}

void *prt__get_memory(prt_words *words, prt_schedule *s) {
  size_t bytes;
  const prt_place *place = prt__get_bytes(words, &bytes);
  void *memory = NULL;
  if (!place || bytes != sizeof *place) {
    words->failed = true;
    return NULL;
  }
  if (place->kind == PLACE_NONE || !s) return (void *)(uintptr_t)place->offset;
  prt__address_of(s, place, &memory);
  return memory;
}

void prt__put_task(prt_wire *wire, const prt_schedule *s, const prt_node *node) {
  prt_place place;
  prt__place_of_task(s, node, &place);
  prt__put_bytes(wire, &place, sizeof place);
}

prt_node *prt__get_task(prt_words *words, prt_schedule *s) {
  size_t bytes;
  const prt_place *place = prt__get_bytes(words, &bytes);
  prt_node *node = NULL;
  if (place && bytes == sizeof *place) prt__task_at(s, place, &node);
  words->failed |= !node;
  return node;
}

void prt__put_region(prt_wire *wire, const prt_schedule *s, const prt_region *region) {
  prt__put_memory(wire, s, region->base);
  prt__put_number(wire, region->element_bytes);
  prt__put_numbers(wire, region->dims, region->rank);
  prt__put_numbers(wire, region->strides, region->rank);
}

void prt__get_region(prt_words *words, prt_schedule *s, prt_region *region) {
  int32_t strides;
  region->base = prt__get_memory(words, s);
  region->element_bytes = (int32_t)prt__get_number(words);
  region->dims = prt__get_numbers(words, &region->rank);
  region->strides = prt__get_numbers(words, &strides);
  words->failed |= strides != region->rank;
}

// ---- findings -----------------------------------------------------------------------------------
void prt__put_finding(prt_wire *wire, const prt_finding *finding) {
  prt__put_site(wire, finding->site);
  prt__put_text(wire, finding->message);
  prt__put_text(wire, finding->launch);
  prt__put_numbers(wire, finding->grid, finding->grid_rank);
  prt__put_names(wire, finding->grid_names, finding->grid_rank);
  prt__put_text(wire, finding->help);
  prt__put_text(wire, finding->data);
  prt__put_number(wire, finding->kind * 2 + finding->is_result);
  prt__put_number(wire, finding->note_count);
  for (int32_t i = 0; i < finding->note_count; i++) {
    prt__put_site(wire, finding->notes[i].site);
    prt__put_text(wire, finding->notes[i].message);
  }
}

void prt__get_finding(prt_words *words, prt_ranks *r, prt_finding *finding, prt_finding_note *notes,
                      int32_t room) {
  *finding = (prt_finding){.site = prt__get_site(words, r), .notes = notes};
  finding->message = prt__get_text(words);
  finding->launch = prt__get_word(words, r);
  finding->grid = prt__get_numbers(words, &finding->grid_rank);
  finding->grid_names = prt__get_names(words, r, finding->grid_rank);
  finding->help = prt__get_text(words);
  finding->data = prt__get_text(words);
  int64_t kind = prt__get_number(words);
  finding->kind = (int32_t)(kind / 2);
  finding->is_result = kind & 1;
  int64_t count = prt__get_number(words);
  for (int64_t i = 0; i < count && !words->failed; i++) {
    const prt_site *site = prt__get_site(words, r);
    const char *message = prt__get_text(words);
    if (finding->note_count < room)
      notes[finding->note_count++] = (prt_finding_note){site, message};
  }
  words->failed |= !finding->site || !finding->message;
}
