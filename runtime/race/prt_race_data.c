// SPDX-License-Identifier: Apache-2.0
// A race as data. In: its two accesses, and what would have ordered them; or two blocks of steps of
// parallel dimensions. Out: a JSON object, or members of it, which docs/check.md lists.
#include "check/prt_finding.h"
#include "check/prt_watch.h"
#include "print/prt_text.h"
#include "prt_parallel.h"
#include "prt_race.h"
#include "tasks/prt_name.h"

static void put_numbers(prt_text *out, const char *name, int32_t count, const int64_t *numbers) {
  prt__text_printf(out, ",\"%s\":[", name);
  for (int32_t i = 0; i < count; i++)
    prt__text_printf(out, "%s%lld", i ? "," : "", (long long)numbers[i]);
  prt__text_c(out, "]");
}

static const char *kind_of(const prt_race_access *access) {
  bool is_copy = access->copy != PRT_NO_COPY;
  return access->how == PRT_READ      ? "read"
         : access->how == PRT_WRITE   ? "write"
         : access->how == PRT_RELEASE ? "end"
         : prt__race_dies(access)     ? "dies"
         : prt__race_begins(access)   ? "begin"
         : is_copy                    ? "add"
                                      : "atomic";
}

static void put_agent(prt_text *out, const prt_race *race, const prt_race_access *access) {
  const prt_race_agent *agent = &race->agents.items[access->agent];
  const prt_program *program = agent->program;
  const prt_race_step *step = access->step < 0 ? NULL : &race->steps.items[access->step];
  bool is_core = program->kind != PRT_DEVICE_PROGRAM; // else its name is the whole program's
  const char *kernel = step ? step->launch : is_core ? program->name : NULL;
  int64_t index[PRT_MESH_AXES];
  prt__text_printf(out, ",\"device\":%d", (int)agent->device);
  if (kernel && kernel[0]) prt__json_field(out, "kernel", kernel);
  if (is_core) put_numbers(out, "core", prt__core_index(program, agent->core, index), index);
  if (step) put_numbers(out, "step", step->rank, step->indices);
  const prt_race_step *around = prt__race_step_around(race, access);
  if (around) put_numbers(out, "parallel_step", around->rank, around->indices);
}

static void put_region(prt_text *out, const prt_watched *memory, const prt_extent *extent) {
  prt_extent_span box[PRT_EXTENT_RANK];
  if (memory->what) prt__json_field(out, "buffer", memory->what);
  bool is_box = memory->what && memory->dims && memory->rank <= PRT_EXTENT_RANK &&
                prt__extent_box(extent, memory, box);
  if (!is_box) return;
  put_numbers(out, "shape", memory->rank, memory->dims);
  prt__text_c(out, ",\"region\":[");
  for (int32_t d = 0; d < memory->rank; d++) {
    int64_t stop = box[d].low + (box[d].count - 1) * box[d].step + 1;
    prt__text_printf(out, "%s[%lld,%lld,%lld]", d ? "," : "", (long long)box[d].low,
                     (long long)stop, (long long)box[d].step);
  }
  prt__text_c(out, "]");
}

static void put_sem(prt_text *out, const prt_race *race, int32_t number) {
  const prt_race_sem *sem = &race->sems.items[number];
  const char *name = sem->buffer && sem->buffer->name ? sem->buffer->name : "";
  prt__text_printf(out, ",\"semaphore\":{\"barrier\":%s", sem->is_barrier ? "true" : "false");
  if (name[0]) prt__json_field(out, "name", name);
  if (sem->buffer)
    prt__text_printf(out, ",\"index\":%d", (int)(sem->index % prt__sems_of_part(sem->buffer)));
  prt__text_c(out, "}");
}

// Which iteration it is in of the loop that the other one is in another iteration of, or of the
// innermost one.
static void put_iteration(prt_text *out, const prt_race *race, const prt_race_access *access,
                          const prt_race_access *other) {
  if (!access->turn) return;
  const prt_race_turn *turn = prt__race_turn_apart(race, access, other);
  if (!turn) turn = &race->turns.items[access->turn - 1];
  prt__text_printf(out, ",\"iteration\":%d", (int)turn->number);
}

static void put_access(prt_text *out, const prt_race *race, const prt_race_access *access,
                       const prt_race_access *other) {
  bool is_copy = access->copy != PRT_NO_COPY;
  bool is_window = is_copy && race->copies.items[access->copy].window;
  prt__text_printf(out, "{\"kind\":\"%s\",\"by\":\"%s\"", kind_of(access),
                   is_window || access->move ? "pipeline"
                   : is_copy                 ? "copy"
                                             : "program");
  prt__json_place(out, access->site);
  put_agent(out, race, access);
  put_iteration(out, race, access, other);
  put_region(out, &access->memory, access->extent);
  if (is_copy && !is_window) put_sem(out, race, prt__race_sem_of_end(race, access));
  prt__text_c(out, "}");
}

// Which core has such a step is not known.
static void put_block(prt_text *out, const prt_race_block *block) {
  prt__text_printf(out, "{\"kind\":\"%s\",\"by\":\"program\"", block->is_read ? "read" : "write");
  prt__json_place(out, block->site);
  prt__text_printf(out, ",\"device\":%d", (int)block->device);
  if (block->step) {
    prt__json_field(out, "kernel", block->step->launch);
    put_numbers(out, "step", block->step->rank, block->step->indices);
  }
  put_region(out, &block->memory, block->extent);
  prt__text_c(out, "}");
}

void prt__race_blocks_data(prt_text *out, const prt_race_block *one, const prt_race_block *other) {
  prt__text_c(out, "{\"accesses\":[");
  put_block(out, one);
  prt__text_c(out, ",");
  put_block(out, other);
  prt__text_c(out, "],\"missing\":null}");
}

static void put_place(prt_text *out, const char *name, const prt_site *site) {
  prt__text_printf(out, ",\"%s\":{\"file\":", name);
  prt__json_string(out, site->file ? site->file : "");
  prt__text_printf(out, ",\"line\":%d,\"column\":%d}", (int)site->line, (int)site->column);
}

void prt__race_data(prt_text *out, const prt_race *race, const prt_race_access *earlier,
                    const prt_race_access *later, const prt_race_missing *missing) {
  prt__text_c(out, "\"accesses\":[");
  put_access(out, race, earlier, later);
  prt__text_c(out, ",");
  put_access(out, race, later, earlier);
  prt__text_c(out, "],\"missing\":");
  if (!missing->after) {
    prt__text_c(out, "null");
    return;
  }
  prt__text_printf(out, "{\"kind\":\"%s\"", missing->sem < 0 ? "signal" : "wait");
  put_place(out, "after", missing->after);
  put_place(out, "before", missing->before);
  if (missing->sem >= 0) put_sem(out, race, missing->sem);
  prt__text_c(out, "}");
}
