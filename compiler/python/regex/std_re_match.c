// SPDX-License-Identifier: Apache-2.0
// Regular expressions by PCRE2: patterns compiled, and looked for. What PCRE2 keeps lies in the
// evaluator's memory, where it is found and given back as objects are.
#define PCRE2_CODE_UNIT_WIDTH 32
#include <pcre2.h>
#include "python/modules/module.h"
#include "python/values/builtin_state.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "std_re.h"

// Of backtracking, some seconds of it: a pattern that takes more takes for ever.
#define MAX_STEPS 100000000u
// Of groups within groups: those of the pattern (std_re_parse.c), and what is put around them.
#define MAX_NESTING 2000
// Characters that a pattern has gone through before it becomes code of the machine, which takes as
// long as some thousand of them. That code is never given back, so that there is a limit to it. It
// knows where a match may lie only from the compilation: each mode has its own.
#define MANY_CHARACTERS 16384u
#define MOST_COMPILED   200u

enum { MODES = RE_SEARCH + 1 };
static const uint32_t modes[MODES] = {[RE_MATCH] = PCRE2_ANCHORED,
                                      [RE_FULLMATCH] = PCRE2_ANCHORED | PCRE2_ENDANCHORED,
                                      [RE_SEARCH] = 0};

struct ReCode {
  pcre2_code *code;        // for all modes
  pcre2_code *fast[MODES]; // code of the machine, or NULL
  pcre2_match_data *data;
  pcre2_match_context *context;
  size_t last_group;
  size_t gone_through[MODES]; // characters; 0: there is code of the machine, or will be none
};

static void *allocate(size_t size, void *ev) { return arena_alloc(((Eval *)ev)->arena, size); }
static void leave(void *memory, void *ev) { (void)memory, (void)ev; }

// At the end of a pattern: which group closed last on the way that has led there.
static int note_last_group(pcre2_callout_block *block, void *data) {
  ((struct ReCode *)data)->last_group = block->capture_last;
  return 0;
}

static NORETURN void refuse(Eval *ev, int error) {
  PCRE2_UCHAR text[256];
  char message[256];
  int length = pcre2_get_error_message(error, text, COUNT_OF(text));
  for (int i = 0; i < length; i++) message[i] = (char)text[i];
  Value reported = make_str(ev, str_format(ev->arena, "%.*s", length > 0 ? length : 0, message));
  eval_raise_value(ev, value_call_n(ev, module_lookup(ev, "re", "error"), 1, &reported));
}

static pcre2_code *compile(Eval *ev, const ReProgram *program, uint32_t options) {
  ReText text = re_pattern(ev, program);
  pcre2_general_context *memory = pcre2_general_context_create(allocate, leave, ev);
  pcre2_compile_context *context = pcre2_compile_context_create(memory);
  pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  pcre2_set_parens_nest_limit(context, MAX_NESTING);
  int error;
  PCRE2_SIZE at;
  pcre2_code *code = pcre2_compile(text.items ? text.items : (PCRE2_SPTR)U"", text.count,
                                   PCRE2_UCP | options, &error, &at, context);
  if (!code) refuse(ev, error);
  return code;
}

void re_compile(Eval *ev, ReProgram *program) {
  struct ReCode *made = ARENA_NEW(ev->arena, struct ReCode);
  pcre2_general_context *memory = pcre2_general_context_create(allocate, leave, ev);
  made->code = compile(ev, program, 0);
  made->data = pcre2_match_data_create_from_pattern(made->code, memory);
  made->context = pcre2_match_context_create(memory);
  pcre2_set_match_limit(made->context, MAX_STEPS);
  pcre2_set_callout(made->context, note_last_group, made);
  for (int mode = 0; mode < MODES; mode++) made->gone_through[mode] = 1;
  program->code = made;
}

// Whoever's system permits no such code does without.
static void count_characters(Eval *ev, const ReProgram *program, ReMode mode, size_t count) {
  struct ReCode *code = program->code;
  size_t *all = &code->gone_through[mode];
  if (!*all || (*all += count) < MANY_CHARACTERS) return;
  *all = 0;
  if (ev->builtin->compiled_patterns++ >= MOST_COMPILED) return;
  pcre2_code *fast = modes[mode] ? compile(ev, program, modes[mode]) : code->code;
  if (pcre2_jit_compile(fast, PCRE2_JIT_COMPLETE) == 0) code->fast[mode] = fast;
}

// Code of the machine has less room for what it may have to come back to.
static int run(const struct ReCode *code, const ReSubject *subject, size_t start, size_t end,
               ReMode mode, uint32_t options) {
  int count = PCRE2_ERROR_JIT_STACKLIMIT;
  if (code->fast[mode])
    count = pcre2_match(code->fast[mode], subject->codes, end, start, options, code->data,
                        code->context);
  if (count != PCRE2_ERROR_JIT_STACKLIMIT) return count;
  return pcre2_match(code->code, subject->codes, end, start, options | modes[mode] | PCRE2_NO_JIT,
                     code->data, code->context);
}

static void set_marks(const struct ReCode *code, size_t count, size_t *marks) {
  const PCRE2_SIZE *found = pcre2_get_ovector_pointer(code->data);
  for (size_t i = 0; i < count; i++) marks[i] = found[i] == PCRE2_UNSET ? RE_UNSET : found[i];
}

bool re_find(Eval *ev, const ReProgram *program, const ReSubject *subject, size_t start, size_t end,
             ReMode mode, bool must_advance, size_t *marks, size_t *last_group) {
  struct ReCode *code = program->code;
  uint32_t options = must_advance ? PCRE2_NOTEMPTY_ATSTART : 0;
  code->last_group = 0;
  int count = run(code, subject, start, end, mode, options);
  size_t reached = count > 0 ? pcre2_get_ovector_pointer(code->data)[1] : end;
  if (reached > start) count_characters(ev, program, mode, reached - start);
  if (count == PCRE2_ERROR_NOMATCH) return false;
  if (count == PCRE2_ERROR_MATCHLIMIT)
    eval_raise(ev, ev->types.RuntimeError, "the regular expression takes more than %u steps",
               MAX_STEPS);
  if (count < 0) refuse(ev, count);
  set_marks(code, 2 * ((size_t)program->groups + 1), marks);
  *last_group = code->last_group;
  return true;
}
