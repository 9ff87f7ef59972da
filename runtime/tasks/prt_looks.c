// SPDX-License-Identifier: Apache-2.0
// Tasks that read counts again and again: which of them do so in vain.
#include "prt_task.h"

// How often a task reads a count that nobody changes before it is taken for one that will go on
// like that for ever.
static int64_t patience(const prt_schedule *s, const prt_looks *looks) {
  enum { POLLS_TOGETHER = 10000000 };
  // What is checked is remembered, and where nothing but counts ends the loop each turn of it is as
  // the one before.
  if (s->checked && looks->waits) return PRT_POLLS_AT_LEAST;
  int64_t share = POLLS_TOGETHER / (s->live + 1);
  return share > PRT_POLLS_AT_LEAST ? share : PRT_POLLS_AT_LEAST;
}

bool prt__looks_in_vain(const prt_schedule *s, const prt_node *node) {
  const prt_looks *looks = node->looks;
  return looks && (looks->waits || node->wait == WAIT_POLL) &&
         looks->seen == atomic_load_explicit(&s->changes, memory_order_seq_cst) &&
         looks->looks >= patience(s, looks);
}

void prt__show_looks(prt_schedule *s) {
  for (const prt_looks *looks = s->looks; looks; looks = looks->next) {
    prt_node *node = looks->node;
    if (!node || !prt__looks_in_vain(s, node)) continue;
    node->wait = WAIT_POLL;
    node->sem = looks->sem;
    node->site = looks->site;
  }
}
