// SPDX-License-Identifier: Apache-2.0
// The state of one compilation: made, freed, and what a failed allocation does to it.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "session.h"

// The program's place is asked for here: its frames are on stacks that the jump leaves.
NORETURN static void leave_on_oom(void *data) {
  Session *session = data;
  if (!session->oom) BUG("out of memory outside session_run");
  session->oom_place = session->place ? session->place(session->place_data) : (Span){0};
  session->place = NULL;
  longjmp(*session->oom, 1);
}

// While the session itself is being made there is no session to leave through.
NORETURN static void leave_session_new(void *data) { longjmp(*(jmp_buf *)data, 1); }

static Session *make(Arena *arena) {
  static const bool on_by_default[WARN_COUNT] = {
#define WARNING(id, name, on, text) [WARN_##id] = on,
#include "warnings.def"
#undef WARNING
  };
  Session *session = ARENA_NEW(arena, Session);
  session->arena = arena;
  session->interner = interner_new(arena);
  session->max_errors = 100;
  session->diag_out = stderr;
  session->out = stdout;
  for (int i = 0; i < WARN_COUNT; i++) session->warning_on[i] = on_by_default[i];
  return session;
}

// NULL if the session itself does not fit.
static Session *make_guarded(Arena *arena, jmp_buf *no_memory) {
  if (setjmp(*no_memory)) return NULL;
  return make(arena);
}

Session *session_new(size_t memory_limit) {
  jmp_buf no_memory;
  Arena *arena = arena_new((OomHandler){leave_session_new, &no_memory}, memory_limit);
  if (!arena) return NULL;
  Session *session = make_guarded(arena, &no_memory);
  if (session)
    arena_on_oom(arena, (OomHandler){leave_on_oom, session});
  else
    arena_free(arena);
  return session;
}

Arena *session_scratch(Session *session) {
  if (!session->scratch) session->scratch = arena_new_child(session->arena);
  return session->scratch;
}

// ---- mappings -----------------------------------------------------------------------------------
Mapping *session_map(Session *session, size_t size, size_t guard) {
  Mapping *m = malloc(sizeof *m);
  if (!m) return NULL;
  char *memory = mmap(NULL, size + guard, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED && mprotect(memory, guard, PROT_NONE) != 0) {
    munmap(memory, size + guard);
    memory = MAP_FAILED;
  }
  if (memory == MAP_FAILED) {
    free(m);
    return NULL;
  }
  *m = (Mapping){memory + guard, size, guard, session->mappings, NULL};
  if (m->next) m->next->previous = m;
  session->mappings = m;
  return m;
}

void session_unmap(Session *session, Mapping *m) {
  if (m->next) m->next->previous = m->previous;
  if (m->previous)
    m->previous->next = m->next;
  else
    session->mappings = m->next;
  munmap(m->memory - m->guard, m->size + m->guard);
  free(m);
}

void session_free(Session *session) {
  if (!session) return;
  while (session->mappings) session_unmap(session, session->mappings);
  arena_free(session->arena);
}

// The program's line is where more was asked for than there is.
static void print_oom_place(const Session *session, FILE *out) {
  const SourceFile *file = source_get(session, session->oom_place.file);
  if (!file || !file->line_starts.count) {
    fputs("pallasc: error: ", out);
    return;
  }
  LineCol at = source_line_col(file, session->oom_place.begin);
  fprintf(out, "%.*s:%u:%u: error: MemoryError: ", STR_FMT(file->path), at.line, at.column);
}

static void print_oom(const Session *session, FILE *out, bool json) {
  if (json)
    fputs("{\"severity\":\"error\",\"message\":\"", out);
  else
    print_oom_place(session, out);
  fputs("out of memory", out);
  size_t limit = arena_limit(session->arena);
  bool is_small = limit < (size_t)1 << 20;
  if (limit)
    fprintf(out, " (--memory-limit is %zu %s)", is_small ? limit : limit >> 20,
            is_small ? "B" : "MiB");
  fputs(json ? "\"}\n" : "\n", out);
}

// What was found before comes first.
static void report_oom(Session *session, jmp_buf *outer) {
  session->oom = outer;
  diag_flush(session);
  session->error_count++;
  print_oom(session, session->diag_out, session->error_format == FORMAT_JSON);
  if (session->diag_json) print_oom(session, session->diag_json, true);
}

int session_run(Session *session, int (*body)(Session *, void *), void *data) {
  jmp_buf here;
  jmp_buf *outer = session->oom;
  session->oom = &here;
  int result;
  if (setjmp(here)) {
    report_oom(session, outer);
    return 3;
  }
  result = body(session, data);
  session->oom = outer;
  return result;
}
