// SPDX-License-Identifier: Apache-2.0
// The report of a deadlock: who waits where, for which semaphore, what it holds and what it needs; and the same as a graph.
#include <stdlib.h>
#include <string.h>
#include "prt_task.h"

enum { MAX_TOLD = 64 }; // tasks told one by one

typedef struct Report {
  prt_schedule *schedule;
  prt_text text;
  int32_t told, waiting;
} Report;

// ---- names -----------------------------------------------------------------------------------------
static void add_place(prt_text *text, const prt_site *site) {
  if (site && site->line)
    prt__text_printf(text, "%s:%d:%d", site->file ? site->file : "?", site->line, site->column);
  else
    prt__text_c(text, "an unknown place");
}

// "core 3 of device 1", "core (0, 5)", "device 2".
static void add_who(prt_text *text, const prt_node *node) {
  const prt_program *program = prt__program_of(node);
  if (program->kind == PRT_DEVICE_PROGRAM) {
    prt__text_printf(text, "device %d", (int)node->task.device);
    return;
  }
  int64_t rest = node->task.core, index[8];
  int32_t rank = program->rank < 8 ? program->rank : 8;
  for (int32_t i = rank - 1; i >= 0; i--) {
    index[i] = rest % program->sizes[i];
    rest /= program->sizes[i];
  }
  prt__text_c(text, "core ");
  if (rank != 1) prt__text_c(text, "(");
  for (int32_t i = 0; i < rank; i++) prt__text_printf(text, "%s%lld", i ? ", " : "", (long long)index[i]);
  if (rank != 1) prt__text_c(text, ")");
  prt__text_printf(text, " of device %d", (int)node->task.device);
}

static const prt_buffer *buffer_at(const prt_node *node, const void *address) {
  const prt_program *program = prt__program_of(node);
  int64_t offset = (const char *)address - node->task.memory;
  for (int32_t i = 0; i < program->buffer_count; i++) {
    const prt_buffer *b = &program->buffers[i];
    if (offset >= b->offset && offset < b->offset + b->bytes) return b;
  }
  return NULL;
}

static const prt_barrier *barrier_at(const prt_schedule *s, const prt_sem *sem) {
  for (int i = 0; i < BARRIER_BUCKETS; i++)
    for (const prt_barrier *b = s->barriers[i]; b; b = b->next)
      if (&b->sem == sem) return b;
  return NULL;
}

static void add_semaphore(prt_text *text, const prt_schedule *s, const prt_node *node) {
  const prt_barrier *barrier = barrier_at(s, node->sem);
  if (barrier) {
    prt__text_printf(text, "the barrier semaphore of collective id %d", (int)barrier->id);
    return;
  }
  for (const prt_node *home = node; home; home = home->group->parent) {
    const prt_buffer *buffer = buffer_at(home, node->sem);
    if (!buffer) continue;
    int64_t index = ((const char *)node->sem - home->task.memory - buffer->offset) / (int64_t)sizeof(prt_sem);
    if (buffer->name[0])
      prt__text_printf(text, "semaphore '%s'", buffer->name);
    else
      prt__text_c(text, "a semaphore");
    if (buffer->bytes > (int64_t)sizeof(prt_sem)) prt__text_printf(text, "[%lld]", (long long)index);
    if (buffer->site && buffer->site->line) {
      prt__text_c(text, " (made at ");
      add_place(text, buffer->site);
      prt__text_c(text, ")");
    }
    return;
  }
  prt__text_c(text, "a semaphore");
}

// ---- the report --------------------------------------------------------------------------------------
static void add_task(Report *r, const prt_node *node) {
  prt_text *text = &r->text;
  prt__text_c(text, "  ");
  add_who(text, node);
  prt__text_printf(text, ", in '%s', waits at ", prt__program_of(node)->name);
  add_place(text, node->site);
  prt__text_c(text, " for ");
  add_semaphore(text, r->schedule, node);
  prt__text_printf(text, ": it is at %lld, and %lld is needed\n", (long long)atomic_load_explicit(&node->sem->count, memory_order_relaxed),
                   (long long)node->value);
  if (node->site && node->site->source) prt__text_printf(text, "    %s\n", node->site->source);
}

static void visit(Report *r, const prt_group *group, void (*tell)(Report *, const prt_node *)) {
  for (int32_t i = 0; i < group->count; i++) {
    const prt_node *node = &group->nodes[i];
    if (node->wait == WAIT_SEM) tell(r, node);
    if (node->children) visit(r, node->children, tell);
  }
}

static void tell_some(Report *r, const prt_node *node) {
  r->waiting++;
  if (r->told < MAX_TOLD) {
    r->told++;
    add_task(r, node);
  }
}

// ---- the graph -----------------------------------------------------------------------------------------
static void draw_node(Report *r, const prt_node *node) {
  prt__text_printf(&r->text, "  t%d [label=\"", r->told);
  add_who(&r->text, node);
  prt__text_c(&r->text, "\\n");
  add_place(&r->text, node->site);
  prt__text_printf(&r->text, "\"];\n  s%d [shape=box, label=\"", r->told);
  add_semaphore(&r->text, r->schedule, node);
  prt__text_printf(&r->text, "\\nat %lld of %lld\"];\n  t%d -> s%d;\n", (long long)atomic_load_explicit(&node->sem->count, memory_order_relaxed),
                   (long long)node->value, r->told, r->told);
  r->told++;
}

static void draw(prt_schedule *s, const char *path) {
  Report r = {.schedule = s};
  prt__text_c(&r.text, "digraph waits {\n");
  visit(&r, s->root, draw_node);
  prt__text_c(&r.text, "}\n");
  FILE *file = fopen(path, "w");
  bool good = file && !r.text.failed && fwrite(r.text.data, 1, r.text.length, file) == r.text.length;
  if (file && fclose(file)) good = false;
  if (!good) fprintf(stderr, "pallasrt: the graph of the deadlock could not be written to '%s'\n", path);
  prt__text_free(&r.text);
}

void prt__deadlock(prt_schedule *s, prt_worker *worker) {
  const prt_machine_options *options = &s->call->machine->options;
  Report r = {.schedule = s};
  prt__text_c(&r.text, "deadlock: no core can go on, and no copy is in flight\n");
  visit(&r, s->root, tell_some);
  if (r.waiting > r.told) prt__text_printf(&r.text, "  and %d more wait\n", (int)(r.waiting - r.told));
  if (r.text.data && options->on_report)
    options->on_report(options->data, r.text.data, r.text.length);
  else if (r.text.data)
    fwrite(r.text.data, 1, r.text.length, stderr);
  if (options->deadlock_dot) draw(s, options->deadlock_dot);
  prt__fail(worker, PRT_ERROR_DEADLOCK, "deadlock: %d of its programs wait for what cannot come", (int)r.waiting);
  prt__text_free(&r.text);
}
