// SPDX-License-Identifier: Apache-2.0
// Places in the source, and buffers of semaphores, that a machine knows longer than the code they
// are of may be loaded. In: those of a call. Out: the machine's own, one for all that are the same,
// until it ends.
#include <stdlib.h>
#include <string.h>
#include "check/prt_finding.h"
#include "machine/prt_machine.h"
#include "prt_race.h"

typedef struct prt_race_kept {
  struct prt_race_kept *next;
  prt_site site;
  prt_buffer buffer; // name NULL: it is a place
  int64_t room[];    // its dimensions, then texts
} prt_race_kept;

void prt__race_kept_free(prt_machine *machine) {
  for (prt_race_kept *next; machine->places; machine->places = next) {
    next = machine->places->next;
    free(machine->places);
  }
}

static size_t room_of(const char *text) { return text ? strlen(text) + 1 : 0; }

// One with so many bytes of room, in front of the others. NULL: no memory.
static prt_race_kept *add(prt_machine *machine, size_t room) {
  prt_race_kept *kept = calloc(1, sizeof *kept + room);
  if (!kept) return NULL;
  kept->next = machine->places;
  return machine->places = kept;
}

static const char *put(char **at, const char *text) {
  if (!text) return NULL;
  char *kept = memcpy(*at, text, room_of(text));
  *at += room_of(text);
  return kept;
}

static const prt_site *keep_site(prt_machine *machine, const prt_site *site) {
  if (!site) return NULL;
  for (const prt_race_kept *k = machine->places; k; k = k->next)
    if (!k->buffer.name && prt__is_site(&k->site, site)) return &k->site;
  const prt_site *caller = keep_site(machine, site->caller);
  size_t room = room_of(site->file) + room_of(site->source) + room_of(site->function);
  prt_race_kept *kept = site->caller && !caller ? NULL : add(machine, room);
  if (!kept) return NULL;
  char *at = (char *)kept->room;
  kept->site = *site;
  kept->site.file = put(&at, site->file);
  kept->site.source = put(&at, site->source);
  kept->site.function = put(&at, site->function);
  kept->site.caller = caller;
  return &kept->site;
}

const prt_site *prt__race_keep_site(prt_machine *machine, const prt_site *site) {
  pthread_mutex_lock(&machine->report_lock);
  const prt_site *kept = keep_site(machine, site);
  pthread_mutex_unlock(&machine->report_lock);
  return kept;
}

static bool is_same(const prt_buffer *a, const prt_buffer *b) {
  return a->bytes == b->bytes && a->rank == b->rank && strcmp(a->name, b->name) == 0 &&
         (!a->rank || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0);
}

static const prt_buffer *keep_buffer(prt_machine *machine, const prt_buffer *buffer) {
  for (const prt_race_kept *k = machine->places; k; k = k->next)
    if (k->buffer.name && is_same(&k->buffer, buffer)) return &k->buffer;
  size_t dims = (size_t)buffer->rank * sizeof *buffer->dims;
  prt_race_kept *kept = add(machine, dims + room_of(buffer->name));
  if (!kept) return NULL;
  if (dims) memcpy(kept->room, buffer->dims, dims);
  char *at = (char *)kept->room + dims;
  kept->buffer =
      (prt_buffer){.bytes = buffer->bytes, .rank = buffer->rank, .name = put(&at, buffer->name)};
  kept->buffer.dims = kept->room;
  return &kept->buffer;
}

const prt_buffer *prt__race_keep_buffer(prt_machine *machine, const prt_buffer *buffer) {
  if (!buffer) return NULL;
  pthread_mutex_lock(&machine->report_lock);
  const prt_buffer *kept = keep_buffer(machine, buffer);
  pthread_mutex_unlock(&machine->report_lock);
  return kept;
}
