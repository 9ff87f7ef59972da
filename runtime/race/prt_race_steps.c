// SPDX-License-Identifier: Apache-2.0
// Steps of parallel dimensions that copy by hand. In: where such a step begins. Out: which accesses
// are of two steps that may run beside each other, on one core of this chip or on several: the
// verdict is about every chip. Beside that, copies that one step leaves to another one, which may
// run on another core.
#include "tasks/prt_name.h"
#include "check/prt_finding.h"
#include "check/prt_watch.h"
#include "print/prt_text.h"
#include "prt_parallel.h"
#include "prt_race.h"
#include "tasks/prt_task.h"
#include "transport/prt_ranks.h"

// Its cores have the steps of a launch between them; where there is but one, the launch is part of
// another program.
static int32_t launch_of(prt_race *race, prt_node *node) {
  if (node->group->parent && node->program->kind != PRT_DEVICE_PROGRAM) {
    if (!node->group->parallel) node->group->parallel = ++race->parallels;
    return node->group->parallel;
  }
  return ++race->parallels;
}

void prt__parallel_step(prt_worker *worker, int32_t number) {
  prt_race *race = worker->call->race;
  prt_node *node = worker->node;
  prt_ranks *r = race ? NULL : prt__reports_to(worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_PARALLEL_STEP, (int64_t)number);
  if (!race || !node || !prt__race_is_on(race)) return;
  prt_trail *trail = prt__trail_of(node);
  if (!trail->parallel) {
    trail->parallel = launch_of(race, node);
    race->apart++;
  }
  trail->parallel_step = -1;
  int32_t step = prt__race_step(race);
  if (step < 0) return;
  prt_race_step *kept = &race->steps.items[step];
  kept->within = trail->parallel_step = step;
  kept->parallel = trail->parallel;
  kept->number = number;
}

void prt__race_leave_steps(prt_worker *worker) {
  prt_race *race = worker->call->race;
  prt_ranks *r = race ? NULL : prt__reports_to(worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_PARALLEL_END);
  if (!race || !worker->node || !prt__trail_of(worker->node)->parallel) return;
  prt__trail_of(worker->node)->parallel = 0;
  race->apart--;
}

// ---- iterations ---------------------------------------------------------------------------------
static void begin_turn(prt_race *race, prt_trail *trail, prt_race_turn turn) {
  prt_race_turn *kept = PRT_RACE_ADD(race, race->turns);
  if (!kept) return;
  *kept = turn;
  trail->turn = race->turns.count;
}

// Between two loops in one program nothing is forgotten, as between steps.
void prt__race_turn(prt_worker *worker, int32_t what, int32_t number) {
  prt_race *race = worker->call->race;
  prt_ranks *r = race ? NULL : prt__reports_to(worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_TURN, (int64_t)what, (int64_t)number);
  if (!race || !worker->node || !prt__race_is_on(race)) return;
  prt_trail *trail = prt__trail_of(worker->node);
  if (what == PRT_TURN_SUM) trail->sums++;
  if (what == PRT_TURN_SUMMED) trail->sums--;
  if (what == PRT_TURN_ENTER) {
    race->apart++;
    begin_turn(race, trail, (prt_race_turn){++race->loops, -1, trail->turn});
  }
  if (!trail->turn) return;
  prt_race_turn now = race->turns.items[trail->turn - 1];
  if (what == PRT_TURN_NEXT) begin_turn(race, trail, (prt_race_turn){now.loop, number, now.outer});
  if (what != PRT_TURN_LEAVE) return;
  trail->turn = now.outer;
  race->apart--;
}

// ---- what a step leaves -------------------------------------------------------------------------
// What the copies that signal it write is not never written where another step reads it.
static void excuse_copies(prt_race *race, int32_t sem) {
  for (int32_t i = 0; i < race->accesses.count; i++) {
    const prt_race_access *access = &race->accesses.items[i];
    bool is_target = access->copy != PRT_NO_COPY && access->how != PRT_READ &&
                     race->copies.items[access->copy].received == sem;
    if (is_target) prt__watches_raced(race->worker->call, access->extent);
  }
}

static bool is_known(const prt_race *race, const prt_race_sem *sem) {
  for (int32_t i = 0; i < race->left.count; i++) {
    const prt_race_left *left = &race->left.items[i];
    if (left->buffer == sem->buffer && prt__is_place(left->site, sem->last.site)) return true;
  }
  return false;
}

static void note_left(prt_worker *worker, const prt_race_sem *sem) {
  prt_race *race = worker->call->race;
  prt_race_left *kept = is_known(race, sem) ? NULL : PRT_RACE_ADD(race, race->left);
  if (!kept) return;
  const prt_race_step *step = &race->steps.items[prt__trail_of(worker->node)->parallel_step];
  prt_text text = {0};
  prt__text_printf(&text, "this %s is not waited for in its step (",
                   sem->last.is_copy ? "copy" : "signal");
  prt__text_indices(&text, step->rank, step->names, step->indices);
  prt__text_printf(&text,
                   "%s of parallel dimensions, and another step, which may run on another "
                   "core, cannot: ",
                   step->rank == 1 ? ",)" : ")");
  prt__add_sem_name(&text, "", sem->buffer->name);
  prt__add_sem_index(&text, sem->buffer, sem->index);
  prt__text_printf(&text, " is left at %lld", (long long)sem->pending);
  *kept = (prt_race_left){.buffer = sem->buffer,
                          .index = sem->index,
                          .site = sem->last.site,
                          .message = text.data,
                          .since = {race->segment, race->events.count}};
}

void prt__parallel_rest(prt_worker *worker, const prt_sem *semaphores, int64_t count) {
  prt_race *race = worker->call->race;
  prt_node *node = worker->node;
  prt_ranks *r = race ? NULL : prt__reports_to(worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_PARALLEL_REST, semaphores, count);
  if (!race || race->failed || !node || !prt__trail_of(node)->parallel) return;
  if (prt__trail_of(node)->parallel_step < 0) return;
  for (int64_t i = 0; i < count; i++) {
    const prt_race_sem *sem = prt__race_sem(race, &semaphores[i]);
    if (!sem || !sem->buffer || sem->pending <= 0 || !sem->last.site) continue;
    if (sem->giver != prt__race_agent(race, node) + 1) continue;
    excuse_copies(race, (int32_t)(sem - race->sems.items));
    note_left(worker, sem);
  }
}
