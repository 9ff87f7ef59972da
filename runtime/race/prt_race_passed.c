// SPDX-License-Identifier: Apache-2.0
// Copies that a call leaves under way, for a later call that waits for them. In: what the program
// says where a semaphore becomes an array of counts, and where one is made of such an array again.
// Out: in the later call, the copy, as if it had been started where the semaphore is made: its data
// is there, but nobody has waited for it. A copy is found by the place of its count: a semaphore
// whose array was copied meanwhile has none.
#include <stdlib.h>
#include <string.h>
#include "machine/prt_machine.h"
#include "prt_race.h"
#include "tasks/prt_task.h"

// MOST: of those that were taken, or that nobody takes, the machine forgets the oldest.
enum { ENDS = 8, MOST = 1024, READERS = 8, LOOKS = 8 };

typedef struct End {
  prt_extent *extent;
  uint8_t how;
} End;

// What may read what the copy writes, before somebody waits.
typedef struct Look {
  int32_t number;
  bool is_made;
  const prt_site *site; // the machine's
  prt_extent *extent;
} Look;

typedef struct prt_passed {
  struct prt_passed *next;
  const char *count;        // where the semaphore's is
  const prt_site *site;     // the machine's, as the buffer is
  const prt_buffer *buffer; // of the semaphore, in the call that has started it; or NULL
  int32_t index;            // in the buffer
  int32_t end_count;
  int64_t units, run; // run: prt_call.run
  bool is_taken;      // by a call that waits for it, or hands it on
  const prt_entry
      *readers[READERS]; // who get the array before somebody may wait, and wait for others
  int32_t reader_count;
  End ends[ENDS];
  int32_t look_count;
  Look looks[LOOKS];
  const prt_call *maker; // the call that has started it, while that goes on
} prt_passed;

static void passed_free(prt_passed *passed) {
  for (int32_t i = 0; i < passed->end_count; i++) free(passed->ends[i].extent);
  for (int32_t i = 0; i < passed->look_count; i++) free(passed->looks[i].extent);
  free(passed);
}

// Takes out those of one count. Locks: passed_lock is held.
static prt_passed *take_out(prt_machine *machine, const char *count) {
  prt_passed *out = NULL, **last = &out, **at = &machine->passed;
  while (*at) {
    prt_passed *passed = *at;
    if (passed->count != count) {
      at = &passed->next;
      continue;
    }
    *at = passed->next;
    passed->next = NULL;
    *last = passed;
    last = &passed->next;
  }
  return out;
}

// Locks: passed_lock is held.
static void put_in_front(prt_machine *machine, prt_passed *list) {
  prt_passed **end = &list;
  while (*end) end = &(*end)->next;
  *end = machine->passed;
  machine->passed = list;
}

static void drop(prt_passed *list) {
  for (prt_passed *next; list; list = next) {
    next = list->next;
    passed_free(list);
  }
}

// Locks: passed_lock is held.
static void forget_oldest(prt_machine *machine) {
  prt_passed **at = &machine->passed;
  for (int32_t i = 0; *at && i < MOST; i++) at = &(*at)->next;
  drop(*at);
  *at = NULL;
}

void prt__race_passed_free(prt_machine *machine) {
  drop(machine->passed);
  machine->passed = NULL;
}

// ---- the call that starts it --------------------------------------------------------------------
static prt_extent *copy_of(const prt_extent *extent) {
  size_t bytes = prt__extent_bytes(extent->rank);
  prt_extent *copy = malloc(bytes);
  if (copy) memcpy(copy, extent, bytes);
  return copy;
}

// Which of its ends is over when the semaphore says so: of a local copy, both.
static bool is_ended_by(const prt_race_copy *copy, const prt_race_access *access, int32_t sem) {
  if (access->how == PRT_READ && copy->sent >= 0) return copy->sent == sem;
  return copy->received == sem;
}

static void add_ends(prt_passed *passed, const prt_race *race, int32_t number, int32_t sem) {
  const prt_race_copy *copy = &race->copies.items[number];
  for (int32_t i = 0; i < race->accesses.count && passed->end_count < ENDS; i++) {
    const prt_race_access *access = &race->accesses.items[i];
    if (access->copy != number || !is_ended_by(copy, access, sem)) continue;
    prt_extent *extent = copy_of(access->extent);
    if (extent) passed->ends[passed->end_count++] = (End){extent, access->how};
  }
}

static int64_t units_on(const prt_race_copy *copy, int32_t sem) {
  if (copy->received == sem) return copy->received_units;
  return copy->sent == sem ? copy->sent_units : 0;
}

// ---- reads before it is waited for --------------------------------------------------------------
static bool is_in(const prt_call *call, const void *array, const char *address) {
  const char *memory = array;
  for (uint32_t i = 0; i < call->entry->param_count; i++)
    if (call->arguments[i] == array)
      return address >= memory && address < memory + prt_param_bytes(&call->entry->params[i]);
  return false;
}

// What is read of a result, into `out`, which has room for PRT_EARLY_RANK dimensions. false: that
// is not known, or nothing.
static bool extent_of_read(const prt_early_read *read, const prt_watched *memory, prt_extent *out) {
  int64_t dims[PRT_EARLY_RANK], strides[PRT_EARLY_RANK], stride = memory->element_bytes;
  prt_region region = {memory->base, memory->element_bytes, read->rank, dims, strides};
  if (read->rank == 0) {
    int64_t bytes = prt__watched_bytes(memory);
    *out = (prt_extent){memory->base, memory->base + bytes, bytes, 0};
    return bytes > 0;
  }
  if (read->rank != memory->rank) return false;
  for (int32_t d = memory->rank; d-- > 0; stride *= memory->dims[d]) {
    const int64_t *span = read->spans[d];
    dims[d] = span[1] > span[0] ? (span[1] - span[0] + span[2] - 1) / span[2] : 0;
    strides[d] = span[2] * stride;
    region.base = (const char *)region.base + span[0] * stride;
  }
  return prt__extent_of(&region, out);
}

// An argument's memory may be another array's while the copy is under way there.
static void add_deaths(const prt_worker *worker, prt_race *race, prt_passed *passed) {
  const prt_call *call = worker->call;
  for (size_t e = 0; e < call->early_count; e++) {
    const prt_early_read *read = &call->early_reads[e];
    bool is_of_sem = read->dies && is_in(call, read->counts, passed->count);
    for (int32_t i = 0; is_of_sem && i < passed->end_count; i++)
      if (is_in(call, read->dies, passed->ends[i].extent->base))
        prt__race_own(race, worker->node, &read->site, passed->ends[i].extent, PRT_DIES);
  }
}

static void add_look(prt_machine *machine, prt_passed *passed, const prt_early_read *read,
                     const prt_extent *extent) {
  if (passed->look_count == LOOKS) return;
  Look look = {read->look, false, prt__race_keep_site(machine, &read->site), copy_of(extent)};
  if (look.site && look.extent)
    passed->looks[passed->look_count++] = look;
  else
    free(look.extent);
}

// Locks: takes passed_lock.
void prt_looked(prt_machine *machine, int64_t run, int32_t look) {
  pthread_mutex_lock(&machine->passed_lock);
  for (prt_passed *passed = machine->passed; passed; passed = passed->next)
    for (int32_t i = 0; passed->run == run && !passed->is_taken && i < passed->look_count; i++)
      passed->looks[i].is_made |= passed->looks[i].number == look;
  pthread_mutex_unlock(&machine->passed_lock);
}

// Who reads a result before somebody gets the semaphore reads what a copy there writes.
static void add_early_reads(const prt_worker *worker, prt_race *race, prt_passed *passed) {
  const prt_call *call = worker->call;
  prt_extent_room room;
  for (int32_t i = 0; i < passed->end_count; i++) {
    const End *end = &passed->ends[i];
    prt_watched memory;
    if (end->how == PRT_READ || !prt__watch_of(call, end->extent->base, &memory)) continue;
    bool is_all = !end->extent->rank && end->extent->base == memory.base &&
                  end->extent->end == memory.base + prt__watched_bytes(&memory);
    for (size_t e = 0; e < call->early_count; e++) {
      const prt_early_read *read = &call->early_reads[e];
      bool is_of_end = !read->dies && strcmp(read->name, memory.what) == 0;
      if (!is_of_end || !is_in(call, read->counts, passed->count)) continue;
      const prt_extent *extent = extent_of_read(read, &memory, &room.extent) ? &room.extent
                                 : is_all                                    ? end->extent
                                                                             : NULL;
      if (read->reader && passed->reader_count < READERS)
        passed->readers[passed->reader_count++] = read->reader;
      else if (!read->reader && extent && read->look)
        add_look(call->machine, passed, read, extent);
      else if (!read->reader && extent)
        prt__race_own(race, worker->node, &read->site, extent, PRT_READ);
    }
  }
}

// The copies that a semaphore of the call counts, with `count` as its place from now on. Locks:
// passed_lock is held.
static void add_copies(const prt_worker *worker, const prt_race_sem *known, const char *count) {
  const prt_call *call = worker->call;
  prt_race *race = call->race;
  int32_t number = (int32_t)(known - race->sems.items);
  int64_t pending = known->pending;
  for (int32_t i = race->copies.count; i-- > 0 && pending > 0;) {
    int64_t units = units_on(&race->copies.items[i], number);
    prt_passed *passed = units ? calloc(1, sizeof *passed) : NULL;
    pending -= units;
    if (!passed) continue;
    const prt_site *site = race->events.items[race->copies.items[i].event].site;
    *passed = (prt_passed){.count = count, .units = units, .maker = call, .run = call->run};
    passed->site = prt__race_keep_site(call->machine, site);
    passed->buffer = prt__race_keep_buffer(call->machine, known->buffer);
    passed->index = known->index;
    if (!passed->site) prt__race_no_memory(race);
    add_ends(passed, race, i, number);
    race->copies.items[i].is_passed = true;
    add_early_reads(worker, race, passed);
    add_deaths(worker, race, passed);
    put_in_front(call->machine, passed);
  }
}

// Locks: takes passed_lock.
void prt__sem_pass(prt_worker *worker, const prt_sem *sem, int32_t parameter, int32_t element) {
  const prt_call *call = worker->call;
  const prt_race *race = call->race;
  const prt_race_sem *known = race && !race->failed ? prt__race_sem(race, sem) : NULL;
  if (!call->arguments || call->machine->ranks) return;
  const char *count = (const char *)call->arguments[parameter] + element * (int64_t)sizeof(int32_t);
  pthread_mutex_lock(&call->machine->passed_lock);
  drop(take_out(call->machine, count));
  if (known && prt__result_is_read(worker, parameter)) add_copies(worker, known, count);
  forget_oldest(call->machine);
  pthread_mutex_unlock(&call->machine->passed_lock);
}

static bool lies_in(const prt_extent *extent, const char *memory, int64_t bytes) {
  return extent->base >= memory && extent->end <= memory + bytes;
}

static void move(prt_extent *extent, const char *from, const char *to) {
  extent->end = to + (extent->end - from);
  extent->base = to + (extent->base - from);
}

// Where the call's own copies end. Locks: takes passed_lock.
static void move_own(const prt_call *call, const prt_race_moved *moved) {
  pthread_mutex_lock(&call->machine->passed_lock);
  for (const prt_passed *passed = call->machine->passed; passed; passed = passed->next) {
    if (passed->maker != call) continue;
    for (int32_t i = 0; i < passed->end_count; i++)
      if (lies_in(passed->ends[i].extent, moved->from, moved->bytes))
        move(passed->ends[i].extent, moved->from, moved->to);
    for (int32_t i = 0; i < passed->look_count; i++)
      if (lies_in(passed->looks[i].extent, moved->from, moved->bytes))
        move(passed->looks[i].extent, moved->from, moved->to);
  }
  pthread_mutex_unlock(&call->machine->passed_lock);
}

void prt__sem_moved(prt_worker *worker, const void *from, const void *to, int32_t from_parameter,
                    int32_t to_parameter, int64_t bytes) {
  const prt_call *call = worker->call;
  prt_race *race = call->arguments ? prt__race_of(worker) : NULL;
  if (!race) return;
  prt_race_moved moved = {from_parameter < 0 ? from : call->arguments[from_parameter],
                          to_parameter < 0 ? to : call->arguments[to_parameter], bytes};
  prt_race_moved *kept = PRT_RACE_ADD(race, race->moved);
  if (kept) *kept = moved;
  move_own(call, &moved);
}

static bool is_of_caller(const prt_call *call, const prt_extent *extent) {
  for (uint32_t i = 0; i < call->entry->param_count; i++)
    if (lies_in(extent, call->arguments[i], (int64_t)prt_param_bytes(&call->entry->params[i])))
      return true;
  return false;
}

// Whether another call has left a copy there, which this one has only handed on.
static bool is_of_others(const prt_passed *all, const prt_extent *extent) {
  for (const prt_passed *passed = all; passed; passed = passed->next)
    for (int32_t i = 0; !passed->maker && i < passed->end_count; i++)
      if (passed->ends[i].extent->base == extent->base &&
          passed->ends[i].extent->end == extent->end)
        return true;
  return false;
}

// Memory of the call's own goes with it. Locks: takes passed_lock.
void prt__race_pass_on(prt_call *call) {
  if (!call->arguments) return;
  pthread_mutex_lock(&call->machine->passed_lock);
  prt_passed *all = call->machine->passed;
  for (prt_passed *passed = all; passed; passed = passed->next) {
    int32_t kept = 0;
    for (int32_t i = 0; i < passed->end_count; i++) {
      const prt_extent *extent = passed->ends[i].extent;
      if (passed->maker != call || is_of_caller(call, extent) || is_of_others(all, extent))
        passed->ends[kept++] = passed->ends[i];
      else
        free(passed->ends[i].extent);
    }
    passed->end_count = kept;
  }
  for (prt_passed *passed = all; passed; passed = passed->next)
    if (passed->maker == call) passed->maker = NULL;
  pthread_mutex_unlock(&call->machine->passed_lock);
}

// ---- the call that waits for it -----------------------------------------------------------------
static void go_on(prt_race *race, prt_node *node, const prt_sem *sem, const prt_passed *passed) {
  int32_t number = prt__race_go_on(race, node, passed->site, sem, passed->units);
  for (int32_t i = 0; number >= 0 && i < passed->end_count; i++) {
    const prt_extent *extent = passed->ends[i].extent;
    prt__race_add_end(race, number, extent, passed->ends[i].how);
    prt_extent *other = copy_of(extent);
    for (int32_t m = 0; other && m < race->moved.count; m++) {
      const prt_race_moved *moved = &race->moved.items[m];
      if (!lies_in(other, moved->from, moved->bytes)) continue;
      move(other, moved->from, moved->to);
      prt__race_add_end(race, number, other, passed->ends[i].how);
    }
    free(other);
  }
  for (int32_t i = 0; number >= 0 && i < passed->look_count; i++)
    if (passed->looks[i].is_made)
      prt__race_own(race, node, passed->looks[i].site, passed->looks[i].extent, PRT_READ);
}

// Locks: takes passed_lock.
void prt__sem_take(prt_worker *worker, const prt_sem *sem, int32_t parameter, int32_t element) {
  const prt_call *call = worker->call;
  if (!call->arguments || !worker->node) return;
  prt_race *race = prt__race_of(worker);
  if (!race || !prt__race_is_on(race)) return;
  const char *count = (const char *)call->arguments[parameter] + element * (int64_t)sizeof(int32_t);
  pthread_mutex_lock(&call->machine->passed_lock);
  prt_passed *found = take_out(call->machine, count);
  int64_t units = 0;
  for (prt_passed *passed = found; passed; passed = passed->next) {
    passed->is_taken = true;
    go_on(race, worker->node, sem, passed);
    units += passed->units;
  }
  prt__race_given(race, sem, units);
  put_in_front(call->machine, found);
  pthread_mutex_unlock(&call->machine->passed_lock);
}

// ---- a call that does not -----------------------------------------------------------------------
static void go_by(prt_race *race, prt_node *node, const prt_passed *passed, const char *memory,
                  int64_t bytes) {
  for (int32_t i = 0; i < passed->end_count; i++) {
    const End *end = &passed->ends[i];
    int32_t number = !lies_in(end->extent, memory, bytes)
                         ? -1
                         : prt__race_go_by(race, node, passed->site, passed->count, passed->buffer,
                                           passed->index);
    if (number >= 0) prt__race_add_end(race, number, end->extent, end->how);
  }
}

static bool is_early(const prt_call *call, const prt_passed *passed) {
  for (int32_t i = 0; i < passed->reader_count; i++)
    if (passed->readers[i] == call->entry) return passed->run == call->run && !passed->is_taken;
  return false;
}

// Locks: takes passed_lock.
void prt__race_passed_input(prt_race *race, prt_node *node, const void *memory, int64_t bytes) {
  const prt_call *call = race->worker->call;
  if (!call->run || !call->arguments || !node || call->machine->ranks) return;
  pthread_mutex_lock(&call->machine->passed_lock);
  for (const prt_passed *passed = call->machine->passed; passed; passed = passed->next)
    if (is_early(call, passed)) go_by(race, node, passed, memory, bytes);
  pthread_mutex_unlock(&call->machine->passed_lock);
}
