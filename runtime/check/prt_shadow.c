// SPDX-License-Identifier: Apache-2.0
// Watched memory: one byte an element says whether it has been written, and if it was with what
// comes from memory that was not, which place read that. Code compiled with checks runs on one
// thread, so nothing here locks.
#include <stdlib.h>
#include <string.h>
#include "prt_shadow_ranks.h"
#include "machine/prt_call.h"
#include "machine/prt_element.h"
#include "print/prt_text.h"
#include "tasks/prt_name.h"
#include "prt_finding.h"
#include "prt_watch.h"
#include "prt_shadow.h"
#include "transport/prt_ranks.h"

// ---- watches ------------------------------------------------------------------------------------
// By address; they do not overlap. The position of the first one that ends behind p.
static size_t position(const prt_watches *list, const char *p) {
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (end_of(list->items[middle]) <= p)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static prt_watch *find_in(const prt_watches *list, const char *p) {
  if (!list->count) return NULL;
  size_t at = position(list, p);
  return at < list->count && list->items[at]->base <= p ? list->items[at] : NULL;
}

// Of a result of a call that is over; NULL if nothing is to be said of it.
static prt_watch *look(prt_watch *kept) {
  if (kept) kept->origins->is_seen = true;
  return kept && !kept->is_clean ? kept : NULL;
}

prt_watch *prt__find_watch(const prt_call *call, const void *p) {
  prt_watch *found = find_in(&call->watches, p);
  if (found) return found;
  prt_watch *kept = find_in(&call->machine->kept, p);
  prt_ranks *r = kept && !kept->origins->is_seen ? prt__reports_to(call->machine) : NULL;
  if (r) r->calls->tell(r, PRT_REPORTED_SEEN, p);
  return look(kept);
}

typedef struct prt_origin_data {
  struct prt_origin_data *next;
  char text[];
} prt_origin_data;

static void drop_origins(prt_origins *origins) {
  if (!origins || --origins->users > 0) return;
  for (prt_origin_data *data = origins->data, *next; data; data = next) {
    next = data->next;
    free(data);
  }
  free(origins);
}

static void watch_free(prt_watch *watch) {
  drop_origins(watch->origins);
  free(watch);
}

static void forget_in(prt_watches *list, const char *base, size_t bytes) {
  size_t first = position(list, base), end = first;
  while (end < list->count && list->items[end]->base < base + bytes) watch_free(list->items[end++]);
  if (end == first) return;
  memmove(list->items + first, list->items + end, (list->count - end) * sizeof *list->items);
  list->count -= end - first;
}

static bool has_room(prt_watches *list) {
  if (list->count < list->room) return true;
  size_t room = list->room ? 2 * list->room : 16;
  prt_watch **items = realloc(list->items, room * sizeof(prt_watch *));
  if (!items) return false;
  list->items = items;
  list->room = room;
  return true;
}

static bool add(prt_watches *list, prt_watch *watch) {
  if (!has_room(list)) return false;
  size_t at = position(list, watch->base);
  memmove(list->items + at + 1, list->items + at, (list->count - at) * sizeof *list->items);
  list->items[at] = watch;
  list->count++;
  return true;
}

static void clear(prt_watches *list) {
  for (size_t i = 0; i < list->count; i++) watch_free(list->items[i]);
  free(list->items);
  *list = (prt_watches){0};
}

// Memory that is handed out again is no longer what was watched there.
void prt__watch_forget(prt_call *call, const void *memory, size_t bytes) {
  forget_in(&call->watches, memory, bytes);
}

prt_watch *prt__watch_in(prt_watches *list, const void *memory, size_t count, int32_t element_bytes,
                         size_t marks) {
  forget_in(list, memory, count * (size_t)element_bytes);
  prt_watch *w = calloc(1, sizeof *w + marks);
  if (!w) return NULL;
  w->base = memory;
  w->count = count;
  w->element_bytes = element_bytes;
  if (add(list, w)) return w;
  free(w);
  return NULL;
}

static int64_t count_of(int32_t rank, const int64_t *dims) {
  int64_t count = 1;
  for (int32_t i = 0; i < rank; i++) count *= dims[i];
  return count;
}

// What another schedule of the same call has left counts for the next one.
static void hand_on(prt_machine *machine, const char *memory) {
  size_t at = position(&machine->kept, memory);
  prt_watch *kept = at < machine->kept.count ? machine->kept.items[at] : NULL;
  if (!kept || kept->base != memory || kept->call != machine->settled + 1 || kept->is_clean) return;
  forget_in(&machine->before, memory, kept->count * (size_t)kept->element_bytes);
  if (!add(&machine->before, kept)) return;
  prt_watches *list = &machine->kept;
  memmove(list->items + at, list->items + at + 1, (list->count - at - 1) * sizeof *list->items);
  list->count--;
}

void prt__check_adopt(prt_worker *worker, void *memory, int32_t dtype, int32_t rank,
                      const int64_t *dims, const char *what, int32_t role) {
  prt_machine *machine = worker->call->machine;
  int32_t size = (int32_t)prt_dtype_size((prt_dtype)dtype);
  int64_t count = count_of(rank, dims);
  if (role == PRT_ADOPT_PARTS) {
    for (int64_t i = 0; i < dims[0]; i++)
      prt__check_adopt(worker, (char *)memory + i * (count / dims[0]) * size, dtype, rank - 1,
                       dims + 1, what, PRT_ADOPT_FRESH);
    return;
  }
  if (count == 0 || (role == PRT_ADOPT_IN_OUT && look(find_in(&machine->kept, memory)))) return;
  hand_on(machine, memory);
  forget_in(&machine->kept, memory, (size_t)(count * size));
  if (role != PRT_ADOPT_IN_OUT) prt__fill_unspecified((prt_dtype)dtype, memory, count);
  prt_watch *w = prt__watch_in(&worker->call->watches, memory, (size_t)count, size, (size_t)count);
  if (!w) {
    prt__fail(worker, PRT_ERROR_MEMORY, "out of memory: no room to watch '%s'", what);
    return;
  }
  w->what = what;
  w->rank = rank;
  w->dims = dims;
  w->is_window = role == PRT_ADOPT_WINDOW;
  w->is_output = role == PRT_ADOPT_OUT || role == PRT_ADOPT_IN_OUT;
  if (role == PRT_ADOPT_IN_OUT) memset(w->marks, WRITTEN, w->count);
  prt_ranks *r = prt__reports_to(machine);
  if (r)
    r->calls->tell(r, PRT_REPORTED_WATCHED, memory, count, (int64_t)size, what, (int64_t)rank,
                   dims);
}

// ---- marks --------------------------------------------------------------------------------------
Marks prt__marks_of(const prt_watch *watch, const char *p, int64_t bytes) {
  const char *end = p + bytes, *limit = end_of(watch);
  if (p < watch->base) p = watch->base;
  if (end > limit) end = limit;
  if (p >= end) return (Marks){0};
  size_t size = (size_t)watch->element_bytes, first = (size_t)(p - watch->base) / size;
  return (Marks){first, ((size_t)(end - watch->base) + size - 1) / size - first};
}

static void set_marks(prt_watch *watch, const char *p, int64_t bytes, uint8_t mark) {
  Marks m = prt__marks_of(watch, p, bytes);
  memset(watch->marks + m.first, mark, m.count);
}

void prt__check_written(prt_worker *worker, const prt_region *region) {
  prt_watch *watch = prt__find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (!watch || w.is_empty) return;
  do set_marks(watch, walk_place(&w), w.run * region->element_bytes, WRITTEN);
  while (walk_next(&w));
}

void prt__check_element_written(prt_worker *worker, const void *element, int64_t bytes) {
  prt_watch *watch = prt__find_watch(worker->call, element);
  if (watch) set_marks(watch, element, bytes, WRITTEN);
}

// ---- origins ------------------------------------------------------------------------------------
static prt_origins *new_origins(size_t marks) {
  prt_origins *origins = calloc(1, sizeof *origins + marks * sizeof *origins->items);
  if (origins) origins->users = 1;
  return origins;
}

prt_origins *prt__origins_of(prt_call *call) {
  if (!call->origins) call->origins = new_origins(MARKS);
  return call->origins;
}

static void set_step(Origin *origin, const prt_step *step) {
  if (!step || step->rank > MAX_GRID) return;
  origin->step.launch = step->launch;
  origin->step.grid_names = step->names;
  origin->step.grid_rank = step->rank;
  for (int32_t i = 0; i < step->rank; i++) origin->grid[i] = step->indices[i];
}

void prt__watch_outside(prt_worker *worker) {
  prt_origins *origins = prt__origins_of(worker->call);
  const prt_step *step = worker->step;
  if (!origins || !step || step->rank > MAX_GRID) return;
  origins->outside = step->launch;
  memcpy(origins->outside_grid, step->indices, (size_t)step->rank * sizeof *step->indices);
}

// Whether nothing of the block that a window should hold was there to be fetched, which was
// reported.
static bool is_outside(const prt_worker *worker, const prt_watch *watch) {
  const prt_origins *origins = worker->call->origins;
  const prt_step *step = worker->step;
  bool is_reported =
      watch->is_window && origins && step && origins->outside == step->launch &&
      memcmp(origins->outside_grid, step->indices, (size_t)step->rank * sizeof *step->indices) == 0;
  for (size_t i = 0; is_reported && i < watch->count; i++) is_reported = watch->marks[i] == NEVER;
  return is_reported;
}

// The address of what should have been written for the element to be.
static const char *never_written(const prt_watch *watch, size_t element) {
  return watch->unwritten_from ? watch->unwritten_from
                               : watch->base + element * (size_t)watch->element_bytes;
}

// The first read of a place stands for the others.
static void note_read(prt_worker *worker, uint8_t mark, const prt_site *site,
                      const prt_watch *watch, size_t element, int64_t count) {
  prt_origins *origins = prt__origins_of(worker->call);
  if (!origins) return;
  Origin *origin = &origins->items[mark];
  bool is_known = origin->site && !(origin->is_outside && !is_outside(worker, watch));
  if (is_known) return;
  *origin = (Origin){
      .site = site, .what = watch->what, .count = count, .rank = watch->rank, .dims = watch->dims};
  origin->element = (int64_t)element;
  origin->address = never_written(watch, element);
  origin->bytes = watch->element_bytes;
  origin->is_window = watch->is_window && !watch->unwritten_from;
  origin->is_outside = is_outside(worker, watch);
  origin->is_reported = origin->is_outside || watch->is_excused;
  set_step(origin, worker->step);
  int32_t device = worker->node ? prt__device_among(worker->node) : -1;
  if (device >= 0) snprintf(origin->text, sizeof origin->text, " on device %d", (int)device);
  prt_ranks *r = prt__reports_to(worker->call->machine);
  if (r) prt__share_origin(r, mark, origin);
}

static bool is_named(const Origin *origin, const char *what) {
  return origin->what == what || (origin->what && what && strcmp(origin->what, what) == 0);
}

void prt__set_origin(prt_origins *origins, uint8_t mark, const Origin *origin) {
  Origin *item = &origins->items[mark];
  *item = *origin;
  if (!origin->data) return;
  size_t size = strlen(origin->data) + 1;
  prt_origin_data *kept = malloc(sizeof *kept + size);
  item->data = kept ? memcpy(kept->text, origin->data, size) : NULL;
  if (!kept) return;
  kept->next = origins->data;
  origins->data = kept;
}

// A mark of the call for what another call, or an output, has to say; the last one is shared.
uint8_t prt__import(prt_worker *worker, const Origin *origin) {
  prt_origins *origins = prt__origins_of(worker->call);
  if (!origins || !origin->site) return NEVER;
  prt_ranks *r = prt__asked(worker->call->machine);
  int32_t imported = r ? PRT_IMPORTED_ORIGINS : origins->imported;
  for (int32_t i = 1; i <= imported; i++) {
    const Origin *known = &origins->items[MARKS - i];
    if (prt__is_site(known->site, origin->site) && is_named(known, origin->what))
      return (uint8_t)(MARKS - i);
  }
  if (r) {
    uint8_t mark = prt__ask_origin(r, origin);
    if (mark != NEVER) prt__set_origin(origins, mark, origin);
    return mark;
  }
  if (origins->imported < PRT_IMPORTED_ORIGINS) origins->imported++;
  uint8_t mark = (uint8_t)(MARKS - origins->imported);
  prt__set_origin(origins, mark, origin);
  return mark;
}

// What a mark of the watch is to the call: NEVER, WRITTEN, or a mark of its own.
uint8_t prt__translate(prt_worker *worker, const prt_watch *watch, uint8_t mark) {
  if (mark == NEVER && !watch->left.site) return NEVER;
  prt_ranks *r = watch->origins && mark != WRITTEN ? prt__asked(worker->call->machine) : NULL;
  if (r) return (uint8_t)r->calls->ask(r, PRT_REPORTED_IMPORT_KEPT, watch->base, (int64_t)mark);
  if (mark == NEVER) return prt__import(worker, &watch->left);
  if (mark == WRITTEN || !watch->origins) return mark;
  return prt__import(worker, &watch->origins->items[mark]);
}

// The elements of the bytes at p, those that `part` has bytes of if there is one.
static void mark_part(prt_watch *watch, const char *p, int64_t bytes, const prt_extent *part,
                      uint8_t mark) {
  if (!part) {
    set_marks(watch, p, bytes, mark);
    return;
  }
  for (int64_t at = 0; at < bytes; at += watch->element_bytes) {
    prt_extent element = {p + at, p + at + watch->element_bytes, watch->element_bytes, 0};
    if (prt__extents_meet(&element, part)) set_marks(watch, p + at, watch->element_bytes, mark);
  }
}

bool prt__watch_doubt(prt_worker *worker, const prt_region *region, const prt_extent *part,
                      const prt_doubt *doubt) {
  prt_watch *watch = prt__find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (w.is_empty) return true;
  if (!watch) return false;
  Origin origin = {.site = doubt->site, .what = doubt->what, .data = doubt->data, .is_race = true};
  snprintf(origin.text, sizeof origin.text, "%s", doubt->message);
  set_step(&origin, doubt->step);
  uint8_t mark = prt__import(worker, &origin);
  if (mark == NEVER) return false;
  prt_ranks *r = prt__reports_to(worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_DOUBTED, region->base);
  do mark_part(watch, walk_place(&w), w.run * region->element_bytes, part, mark);
  while (walk_next(&w));
  return true;
}

bool prt__watch_in_doubt(const prt_call *call, const void *address) {
  const prt_watch *watch = find_in(&call->watches, address);
  if (watch && watch->is_elsewhere) return watch->is_doubted;
  if (!watch || !call->origins) return false;
  uint8_t mark = watch->marks[prt__marks_of(watch, address, 1).first];
  return call->origins->items[mark].is_race; // nothing of NEVER and WRITTEN
}

// ---- marks of values: 0 is fine -----------------------------------------------------------------
void prt__check_unwritten(prt_worker *worker, const prt_site *site, const prt_region *region,
                          int32_t origin, uint8_t *marks) {
  const prt_watch *watch = prt__find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (w.is_empty) return;
  if (!watch) {
    memset(marks, 0, (size_t)count_of(region->rank, region->dims));
    return;
  }
  size_t first = 0;
  int64_t count = 0;
  do {
    uint8_t *to = marks + w.element;
    memset(to, 0, (size_t)w.run);
    Marks m = prt__marks_of(watch, walk_place(&w), w.run * region->element_bytes);
    if (are_all(watch, m, WRITTEN)) continue;
    uint8_t known = WRITTEN, known_to = WRITTEN; // neighbours are equal
    for (size_t i = 0; i < m.count && i < (size_t)w.run; i++) {
      uint8_t mark = watch->marks[m.first + i];
      if (mark == WRITTEN) continue;
      if (mark != known) known = mark, known_to = prt__translate(worker, watch, mark);
      to[i] = known_to;
      if (to[i]) continue;
      to[i] = (uint8_t)origin;
      if (count++ == 0) first = m.first + i;
    }
  } while (walk_next(&w));
  if (count) note_read(worker, (uint8_t)origin, site, watch, first, count);
}

int32_t prt__check_element_unwritten(prt_worker *worker, const prt_site *site, const void *element,
                                     int64_t bytes, int32_t origin) {
  const prt_watch *watch = prt__find_watch(worker->call, element);
  Marks m = watch ? prt__marks_of(watch, element, bytes) : (Marks){0};
  if (!m.count || watch->marks[m.first] == WRITTEN) return 0;
  uint8_t mark = prt__translate(worker, watch, watch->marks[m.first]);
  if (mark) return mark;
  note_read(worker, (uint8_t)origin, site, watch, m.first, 1);
  return origin;
}

void prt__check_unwrite(prt_worker *worker, const prt_region *region, const prt_region *marks) {
  prt_watch *watch = prt__find_watch(worker->call, region->base);
  Walk w = walk_begin(region), m = walk_begin(marks);
  if (!watch || w.is_empty) return;
  walk_both(&w, &m);
  do {
    const char *p = walk_place(&w);
    const uint8_t *mark = (const uint8_t *)walk_place(&m);
    for (int64_t i = 0; i < w.run; i++)
      if (mark[i]) set_marks(watch, p + i * region->element_bytes, region->element_bytes, mark[i]);
    walk_next(&m);
  } while (walk_next(&w));
}

void prt__check_element_unwrite(prt_worker *worker, const void *element, int64_t bytes,
                                int32_t mark) {
  prt_watch *watch = mark ? prt__find_watch(worker->call, element) : NULL;
  if (watch) set_marks(watch, element, bytes, (uint8_t)mark);
}

// ---- findings -----------------------------------------------------------------------------------
// "element [3, 0]" of the watched memory.
static void element_text(const Origin *origin, prt_text *text) {
  int64_t index[MAX_RANK], element = origin->element;
  for (int32_t i = origin->rank - 1; i >= 0; i--) {
    index[i] = element % origin->dims[i];
    element /= origin->dims[i];
  }
  for (int32_t i = 0; i < origin->rank; i++)
    prt__text_printf(text, "%s%lld", i ? ", " : "element [", (long long)index[i]);
  prt__text_c(text, origin->rank ? "]" : "its one element");
}

static void origin_text(const Origin *origin, prt_text *text) {
  if (origin->is_race) {
    prt__text_c(text, origin->text);
    return;
  }
  if (origin->is_output) {
    prt__text_printf(text, "output '%s' was never written%s", origin->what, origin->text);
    return;
  }
  prt__text_printf(text,
                   origin->is_window ? "'%s' is read in its padding, outside of the array: "
                                     : "'%s' is read where it was never written: ",
                   origin->what);
  element_text(origin, text);
  prt__text_c(text, origin->text);
  if (origin->count > 1) prt__text_printf(text, " and %lld more", (long long)(origin->count - 1));
}

// `call`: NULL if it is over.
static void tell(prt_machine *machine, prt_call *call, const Origin *origin, const char *how,
                 bool is_result) {
  static const prt_site nowhere = {0};
  prt_text text = {0};
  if (origin->is_reported) return;
  origin_text(origin, &text);
  if (how && !origin->is_race) prt__text_printf(&text, "; %s", how);
  prt_finding finding = origin->step;
  finding.site = origin->site ? origin->site : &nowhere;
  finding.message = text.data ? text.data : "memory is read where it was never written";
  finding.grid = origin->grid;
  finding.kind = origin->is_race ? PRT_FINDING_RACE : PRT_FINDING_UNWRITTEN;
  finding.is_result = is_result && !origin->is_race;
  finding.data = origin->data;
  prt__report_finding(machine, call, &finding, "never written");
  prt__text_free(&text);
}

// As long as a race may turn out to be the reason, what is read there is reported at the end.
void prt__check_used(prt_worker *worker, const prt_site *site, int32_t mark, const char *how) {
  prt_call *call = worker->call;
  if (!mark) return;
  prt_ranks *r = prt__reports_to(call->machine); // which knows what the mark means
  if (r) {
    call->unsure = site;
    r->calls->tell(r, PRT_REPORTED_USED, site, (int64_t)mark, how);
    return;
  }
  if (!call->origins) return;
  Origin *origin = &call->origins->items[mark & (MARKS - 1)];
  char text[sizeof origin->use];
  call->unsure = site;
  size_t used = (size_t)snprintf(text, sizeof text, "%s depends on it", how);
  if (origin->site && site->line > 0 && site->line != origin->site->line)
    snprintf(text + used, sizeof text - used, " in line %d", site->line);
  if (!call->is_open)
    tell(call->machine, call, origin, text, false);
  else if (!origin->use[0] && !call->is_cut)
    memcpy(origin->use, text, sizeof text);
}

// Those before the call was cut, if it was.
static void report_uses(prt_call *call) {
  bool is_cut = call->is_cut;
  call->is_cut = false;
  for (int i = 0; call->origins && i < MARKS; i++) {
    const Origin *origin = &call->origins->items[i];
    if (origin->use[0]) tell(call->machine, call, origin, origin->use, false);
  }
  call->is_cut = is_cut;
}

// ---- outputs ------------------------------------------------------------------------------------
// The unwritten elements of an output: how many, and the smallest box around them.
typedef struct Hole {
  int64_t count, low[MAX_RANK], high[MAX_RANK]; // high is one behind
} Hole;

static void widen(Hole *hole, int32_t dim, int64_t low, int64_t high) {
  if (!hole->count || low < hole->low[dim]) hole->low[dim] = low;
  if (!hole->count || high > hole->high[dim]) hole->high[dim] = high;
}

// By all of the run, or by its element i.
static void widen_by(Hole *hole, const Walk *w, int64_t i, bool is_all) {
  for (int32_t d = 0; d < w->outer; d++) widen(hole, d, w->at[d], w->at[d] + 1);
  for (int32_t d = w->region->rank - 1; d >= w->outer; d--) {
    int64_t dim = w->region->dims[d], at = i % dim;
    widen(hole, d, is_all ? 0 : at, is_all ? dim : at + 1);
    i /= dim;
  }
  hole->count += is_all ? w->run : 1;
}

static Hole find_hole(const prt_watch *watch, const prt_region *region) {
  Hole hole = {0};
  Walk w = walk_begin(region);
  if (w.is_empty) return hole;
  do {
    Marks m = prt__marks_of(watch, walk_place(&w), w.run * region->element_bytes);
    if (are_all(watch, m, WRITTEN)) continue;
    if (are_all(watch, m, NEVER)) {
      widen_by(&hole, &w, 0, true);
      continue;
    }
    for (size_t i = 0; i < m.count; i++)
      if (watch->marks[m.first + i] == NEVER) widen_by(&hole, &w, (int64_t)i, false);
  } while (walk_next(&w));
  return hole;
}

// " in [0:8, 64:128]" if only a part was not written, and the number of elements if the hole does
// not fill that box.
static void hole_text(const Hole *hole, const prt_region *region, char *text, size_t size) {
  int64_t all = count_of(region->rank, region->dims), box = 1;
  size_t used = 0;
  if (hole->count == all) return;
  for (int32_t i = 0; i < region->rank && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s%lld:%lld", i ? ", " : " in [",
                             (long long)hole->low[i], (long long)hole->high[i]);
    box *= hole->high[i] - hole->low[i];
  }
  if (used < size) used += (size_t)snprintf(text + used, size - used, "]");
  if (box != hole->count && used < size)
    snprintf(text + used, size - used, ": %lld elements there", (long long)hole->count);
}

static void leave_out(const prt_machine *machine, prt_watch *watch, const prt_site *site,
                      const prt_region *region, const char *what) {
  Hole hole = find_hole(watch, region);
  if (!hole.count) return;
  watch->left = (Origin){.site = site, .what = what, .is_output = true};
  watch->left.is_reported = watch->is_excused;
  watch->left.address = watch->base;
  watch->left.bytes = end_of(watch) - watch->base;
  hole_text(&hole, region, watch->left.text, sizeof watch->left.text);
  prt_ranks *r = prt__reports_to(machine);
  if (r) prt__share_left(r, watch);
}

void prt__check_output(prt_worker *worker, const prt_site *site, const prt_region *region,
                       const char *what) {
  prt_watch *watch = prt__find_watch(worker->call, region->base);
  if (watch && !watch->left.site) leave_out(worker->call->machine, watch, site, region, what);
}

// All of a watch as a region; `strides` has room for its rank.
static prt_region whole(const prt_watch *watch, int64_t *strides) {
  int64_t stride = watch->element_bytes;
  for (int32_t i = watch->rank - 1; i >= 0; stride *= watch->dims[i--]) strides[i] = stride;
  return (prt_region){watch->base, watch->element_bytes, watch->rank, watch->dims, strides};
}

// Each mark of the region once.
static bool report_marks(prt_machine *machine, prt_call *call, const prt_watch *watch,
                         const prt_region *region, const prt_origins *origins, const char *how,
                         const char *how_stored) {
  bool reported[MARKS] = {false};
  Walk w = walk_begin(region);
  bool any = false;
  if (w.is_empty) return false;
  do {
    Marks m = prt__marks_of(watch, walk_place(&w), w.run * region->element_bytes);
    if (are_all(watch, m, WRITTEN)) continue;
    for (size_t i = 0; i < m.count; i++) {
      uint8_t mark = watch->marks[m.first + i];
      if (mark == WRITTEN || reported[mark]) continue;
      reported[mark] = any = true;
      if (mark == NEVER)
        tell(machine, call, &watch->left, how, call != NULL);
      else if (origins)
        tell(machine, call, &origins->items[mark],
             origins->items[mark].is_output ? how : how_stored, call != NULL);
    }
  } while (walk_next(&w));
  return any;
}

// An output when the call is over, whose reader is not known.
static void report_output(prt_worker *worker, prt_watch *watch) {
  static const prt_site nowhere = {0};
  int64_t strides[MAX_RANK];
  prt_region all = whole(watch, strides);
  if (!watch->left.site) leave_out(worker->call->machine, watch, &nowhere, &all, watch->what);
  char how[128];
  snprintf(how, sizeof how, "output '%s' depends on it", watch->what);
  report_marks(worker->call->machine, worker->call, watch, &all, worker->call->origins, NULL, how);
}

static void keep(prt_machine *machine, prt_origins *origins, prt_watch *watch, bool is_clean) {
  prt_watch *smaller = is_clean ? realloc(watch, sizeof *watch) : NULL,
            *kept = smaller ? smaller : watch;
  kept->is_clean = is_clean;
  kept->call = machine->is_one_of ? machine->settled + 1 : 0;
  kept->origins = origins;
  origins->users++;
  if (!add(&machine->kept, kept)) watch_free(kept);
}

static bool is_read(const prt_call *call, const void *result) {
  for (size_t i = 0; i < call->unread_count; i++)
    if (call->unread[i] == result) return false;
  return true;
}

bool prt__result_is_read(prt_worker *worker, int32_t parameter) {
  const prt_call *call = worker->call;
  return !call->arguments || is_read(call, call->arguments[parameter]);
}

static bool has_holes(const prt_watch *watch) { return watch->is_output && !is_all_written(watch); }

// What the outputs of the call share when it is over: many calls that wrote all of theirs must not
// keep much each.
static prt_origins *kept_origins(prt_call *call) {
  for (size_t i = 0; i < call->watches.count; i++)
    if (has_holes(call->watches.items[i])) return prt__origins_of(call);
  drop_origins(call->origins);
  return call->origins = new_origins(0);
}

static void add_before(prt_worker *worker, prt_watch *watch) {
  const prt_watch *before = find_in(&worker->call->machine->before, watch->base);
  if (!before || before->count != watch->count || !watch->is_output) return;
  if (!watch->left.site) watch->left = before->left;
  for (size_t i = 0; i < watch->count; i++)
    if (before->marks[i] != WRITTEN && watch->marks[i] == WRITTEN)
      watch->marks[i] = prt__translate(worker, before, before->marks[i]);
}

void prt__one_of_schedules(prt_machine *machine, bool is_one_of) { machine->is_one_of = is_one_of; }

void prt__schedules_over(prt_machine *machine) {
  machine->is_one_of = false;
  machine->settled++;
  clear(&machine->before);
}

// The list of the call's watches gives its outputs with holes to the machine's.
void prt__watches_finish(prt_worker *worker) {
  prt_call *call = worker->call;
  prt_machine *machine = call->machine;
  size_t rest = 0;
  report_uses(call);
  // What a call that was given up would have written is nobody's mistake.
  int32_t status = atomic_load_explicit(&call->status, memory_order_relaxed);
  bool is_whole = (status == PRT_OK || status == PRT_ERROR_CHECK) && !call->is_cut,
       keeps = machine->options.keeps_unwritten && is_whole;
  for (size_t i = 0; keeps && machine->is_one_of && i < call->watches.count; i++)
    add_before(worker, call->watches.items[i]);
  prt_origins *origins = keeps ? kept_origins(call) : NULL;
  for (size_t i = 0; i < call->watches.count; i++) {
    prt_watch *watch = call->watches.items[i];
    bool is_reported = is_whole && !machine->options.keeps_unwritten && is_read(call, watch->base);
    if (is_reported && has_holes(watch)) report_output(worker, watch);
    if (origins && watch->is_output)
      keep(machine, origins, watch, !has_holes(watch));
    else
      call->watches.items[rest++] = watch;
  }
  call->watches.count = rest;
  clear(&call->watches);
  drop_origins(call->origins);
  call->origins = NULL;
}

// Nor is it where what the launch left out has been handed on.
static void excuse_left(prt_call *call, prt_watch *watch) {
  watch->left.is_reported = true;
  for (int i = 0; watch->left.site && call->origins && i < MARKS; i++) {
    Origin *origin = &call->origins->items[i];
    if (prt__is_site(origin->site, watch->left.site) && is_named(origin, watch->left.what))
      origin->is_reported = true;
  }
}

void prt__watches_reported(prt_call *call, const prt_site *site, const char *memory) {
  prt_watch *watch = prt__find_watch(call, memory);
  if (watch && watch->left.site && prt__is_place(watch->left.site, site)) excuse_left(call, watch);
}

// What was never written where the race is was copied on, perhaps more than once.
static void excuse_copies(prt_call *call, const prt_extent *written) {
  for (size_t i = 0; call->watches.has_copies && i < call->watches.count; i++) {
    prt_watch *copied = call->watches.items[i];
    const char *from = copied->unwritten_from;
    if (!from || copied->is_excused) continue;
    prt_extent read = {from, from + copied->element_bytes, copied->element_bytes, 0};
    copied->is_excused = prt__extents_meet(&read, written);
    if (copied->is_excused) excuse_left(call, copied);
  }
}

void prt__watches_raced(prt_call *call, const prt_extent *written) {
  for (int i = 0; call->origins && i < MARKS; i++) {
    Origin *origin = &call->origins->items[i];
    if (!origin->address) continue;
    prt_extent read = {origin->address, origin->address + origin->bytes, origin->bytes, 0};
    origin->is_reported |= prt__extents_meet(&read, written);
  }
  prt_ranks *r = call->machine->ranks;
  if (r) r->calls->excused(r, call, written);
  prt_watch *watch = find_in(&call->watches, written->base);
  if (watch && watch->is_elsewhere) watch = NULL;
  excuse_copies(call, written);
  Marks m = watch ? prt__marks_of(watch, written->base, written->end - written->base) : (Marks){0};
  if (!m.count || are_all(watch, m, WRITTEN)) return;
  for (size_t i = m.first; i < m.first + m.count; i++) {
    const char *p = watch->base + i * (size_t)watch->element_bytes;
    prt_extent element = {p, p + watch->element_bytes, watch->element_bytes, 0};
    if (watch->marks[i] == NEVER && prt__extents_meet(&element, written)) watch->marks[i] = WRITTEN;
  }
}

bool prt__kept_is_seen(prt_machine *machine, const void *memory) {
  const prt_watch *kept = find_in(&machine->kept, memory);
  return kept && kept->origins->is_seen;
}

void prt__kept_free(prt_machine *machine) {
  clear(&machine->kept);
  clear(&machine->gone);
  clear(&machine->before);
}

// ---- copies -------------------------------------------------------------------------------------
// What a copy does to marks. `site`: where a program started it; NULL: it is one of the machine's
// own. `adds`: to what is there, whose marks stay unless what is added has others.
typedef struct Carry {
  prt_worker *worker;
  const prt_site *site;
  prt_watch *target, *source;
  bool adds;
} Carry;

uint8_t prt__mark_read(prt_worker *worker, const prt_site *site, const prt_watch *source,
                       size_t element) {
  if (source->left.site || !site) return prt__translate(worker, source, NEVER);
  Origin origin = {.site = site, .what = source->what, .count = 1, .rank = source->rank};
  origin.dims = source->dims;
  origin.element = (int64_t)element;
  origin.address = never_written(source, element);
  origin.bytes = source->element_bytes;
  origin.is_window = source->is_window;
  origin.is_reported = is_outside(worker, source) || source->is_excused;
  return prt__import(worker, &origin);
}

// Memory that the compiler keeps to make other memory as if never written.
static bool is_pristine(const prt_watch *watch) {
  return watch->what && strcmp(watch->what, PRT_PRISTINE) == 0;
}

static void copy_marks(const Carry *c, Marks to, Marks from) {
  uint8_t known = WRITTEN, known_to = WRITTEN;
  for (size_t i = 0; i < to.count && i < from.count; i++) {
    uint8_t mark = c->source->marks[from.first + i];
    if (mark != known) {
      known = mark;
      if (mark == NEVER && !c->site && !is_pristine(c->source)) {
        c->target->unwritten_from = never_written(c->source, from.first + i);
        c->worker->call->watches.has_copies = true;
      }
      known_to = mark == NEVER ? prt__mark_read(c->worker, c->site, c->source, from.first + i)
                               : prt__translate(c->worker, c->source, mark);
    }
    if (!c->adds || known_to != WRITTEN) c->target->marks[to.first + i] = known_to;
  }
}

void prt__check_carried(prt_worker *worker, const prt_site *site, const prt_region *to,
                        const prt_region *from, bool adds) {
  Carry c = {worker, site, prt__find_watch(worker->call, to->base),
             prt__find_watch(worker->call, from->base), adds};
  if (!c.target) return;
  if (!c.source) {
    if (!adds) prt__check_written(worker, to);
    return;
  }
  Walk a = walk_begin(to), b = walk_begin(from);
  if (a.is_empty) return;
  walk_both(&a, &b);
  do {
    Marks m = prt__marks_of(c.target, walk_place(&a), a.run * to->element_bytes);
    Marks n = prt__marks_of(c.source, walk_place(&b), b.run * from->element_bytes);
    if (!are_all(c.source, n, WRITTEN))
      copy_marks(&c, m, n);
    else if (!adds)
      memset(c.target->marks + m.first, WRITTEN, m.count);
    walk_next(&b);
  } while (walk_next(&a));
}

void prt__check_copied(prt_worker *worker, const prt_region *to, const prt_region *from) {
  prt__check_carried(worker, NULL, to, from, false);
}

bool prt__watch_of(const prt_call *call, const void *address, prt_watched *out) {
  const prt_watch *watch = find_in(&call->watches, address);
  if (!watch) return false;
  *out = (prt_watched){watch->base, watch->what, watch->element_bytes, watch->rank, watch->dims};
  return true;
}

bool prt__is_watching(const prt_call *call) {
  return call->watches.count || call->machine->kept.count;
}

// ---- what the program does with results ---------------------------------------------------------
static bool region_is_written(const prt_watch *watch, const prt_region *region) {
  Walk w = walk_begin(region);
  if (w.is_empty) return true;
  do
    if (!are_all(watch, prt__marks_of(watch, walk_place(&w), w.run * region->element_bytes),
                 WRITTEN))
      return false;
  while (walk_next(&w));
  return true;
}

bool prt__check_read(prt_machine *machine, const prt_region *region, const char *how) {
  prt_watch *watch = find_in(&machine->kept, region->base);
  if (how) watch = look(watch);
  if (!watch || watch->is_clean) return false;
  if (!how) return !region_is_written(watch, region);
  return report_marks(machine, NULL, watch, region, watch->origins, how, how);
}

static bool check_rest_of(prt_machine *machine, const prt_watches *list, bool all) {
  bool any = false;
  for (size_t i = 0; i < list->count; i++) {
    const prt_watch *watch = list->items[i];
    int64_t count = (int64_t)watch->count, stride = watch->element_bytes;
    prt_region region = {watch->base, watch->element_bytes, 1, &count, &stride};
    if (!watch->is_clean && (all || !watch->origins->is_seen))
      any |= report_marks(machine, NULL, watch, &region, watch->origins, NULL, NULL);
  }
  return any;
}

bool prt__check_rest(prt_machine *machine, bool all) {
  bool any = check_rest_of(machine, &machine->gone, false);
  any |= check_rest_of(machine, &machine->kept, all);
  clear(&machine->gone);
  for (size_t i = 0; i < machine->kept.count; i++) look(machine->kept.items[i]);
  return any;
}

void prt__check_gone(prt_machine *machine, bool (*lives)(const void *data, const void *memory),
                     const void *data) {
  prt_watches *kept = &machine->kept, *gone = &machine->gone;
  size_t rest = 0;
  for (size_t i = 0; i < kept->count; i++) {
    prt_watch *watch = kept->items[i];
    if (lives(data, watch->base))
      kept->items[rest++] = watch;
    else if (watch->is_clean || watch->origins->is_seen || !has_room(gone))
      watch_free(watch);
    else
      gone->items[gone->count++] = watch;
  }
  kept->count = rest;
}

void prt__check_moved(prt_machine *machine, const prt_region *to, const prt_region *from) {
  prt_watch *source = find_in(&machine->kept, from->base);
  int64_t count = count_of(to->rank, to->dims);
  if (source && source->is_clean) source = look(source);
  if (!source || count <= 0) return;
  size_t bytes = sizeof *source + (size_t)count;
  prt_watch *target = calloc(1, bytes);
  if (!target) return;
  *target = *source;
  target->base = to->base;
  target->count = (size_t)count;
  target->element_bytes = to->element_bytes;
  target->rank = 0; // of places in it nothing is reported
  target->dims = NULL;
  Walk b = walk_begin(from);
  do {
    Marks n = prt__marks_of(source, walk_place(&b), b.run * from->element_bytes);
    memcpy(target->marks + b.element, source->marks + n.first, n.count);
  } while (walk_next(&b));
  target->origins->users++;
  forget_in(&machine->kept, target->base, (size_t)count * (size_t)target->element_bytes);
  if (is_all_written(target) || !add(&machine->kept, target)) watch_free(target);
}
