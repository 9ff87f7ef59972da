// SPDX-License-Identifier: Apache-2.0
// What tasks do to semaphores, and what copies they start, as they tell the race detector
// (prt_race.h). `race` is NULL where the code was compiled without checks. On the thread that runs
// code with checks.
#pragma once
#include "check/prt_watch.h"

struct prt_transfer;

typedef struct prt_race prt_race;
struct prt_node;
struct prt_group;

// Who has signalled a semaphore, or will when a copy is over.
typedef struct prt_race_signal {
  const prt_site *site;
  int64_t units;
  bool is_copy;
} prt_race_signal;

prt_race *prt__race_of(prt_worker *worker); // the call's; NULL: no memory, and it has failed
void prt__race_free(prt_race *race);        // reports the races of the call first
// The node launches the group, begins, ends, goes on after the ends of all that it launched.
void prt__race_launch(prt_race *race, struct prt_node *node, struct prt_group *group);
void prt__race_begin(prt_race *race, struct prt_node *node);
void prt__race_end(prt_race *race, struct prt_node *node);
void prt__race_join(prt_race *race, struct prt_node *node, const struct prt_group *group);
// Comes to the meeting of all devices; goes on since all have come.
void prt__race_meet(prt_race *race, struct prt_node *node);
void prt__race_met(prt_race *race, struct prt_node *node);
// `like`: where a semaphore of that buffer lies in the node's own memory, for its name.
void prt__race_signal(prt_race *race, struct prt_node *node, const prt_sem *sem,
                      const prt_sem *like, int64_t units, const prt_site *site);
void prt__race_wait(prt_race *race, struct prt_node *node, const prt_sem *sem, int64_t units,
                    bool keeps, const prt_site *site);
void prt__race_copy(prt_race *race, const struct prt_transfer *transfer, int64_t bytes);
// The last one that signalled the semaphore since it was at rest; NULL: nobody.
const prt_race_signal *prt__race_last_signal(const prt_race *race, const prt_sem *sem);
// The semaphore is left at another count than zero, as `message` says: reported when the call is
// over, behind its races, unless a race of a copy that signals it reports it, or one that a wait
// for it would mend, or a deadlock. `is_scope`: it was left so when its scope ended, and what comes
// to it later is of no interest. buffer NULL: a barrier semaphore, of no program.
void prt__race_unwaited(prt_race *race, const prt_program *program, const prt_buffer *buffer,
                        int32_t index, const prt_site *site, const char *message, bool is_scope);
// Somebody waits for it in a deadlock.
void prt__race_stuck(prt_race *race, const prt_buffer *buffer);
// Copies that calls left under way. No call may be running on the machine.
void prt__race_passed_free(struct prt_machine *machine);
void prt__race_kept_free(struct prt_machine *machine); // takes no lock: the machine ends
// The memory is given back: what lies there from here on is something else.
void prt__race_forget(prt_race *race, const void *memory, size_t bytes);
