// SPDX-License-Identifier: Apache-2.0
// Regular expressions: matches as objects, and what a pattern finds in a text from its beginning to
// its end.
#include "base/buf.h"
#include "std_re_object.h"
#include "python/objects/generic.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/text/builtin_text.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/bytes_like.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

// A text while it is searched, and as its matches know it.
typedef struct Searched {
  Value string;
  ReSubject subject;
  Str text; // the bytes of `string`
  bool is_bytes, is_ascii;
} Searched;

typedef struct Match {
  Object base;
  const ReProgram *program;
  Value pattern; // the Pattern
  const Searched *searched;
  size_t pos, endpos;
  size_t last_group; // 0: none
  size_t marks[];    // begin and end of each group, or RE_UNSET
} Match;

static size_t mark_count(const ReProgram *program) { return 2 * ((size_t)program->groups + 1); }

// ---- texts --------------------------------------------------------------------------------------
// A tokenizer asks for one match after the other: the text of the last call is kept decoded.
static const Searched *searched_text(Eval *ev, Value self, Value string) {
  ReCodeObject *code = (ReCodeObject *)self.o;
  const ReProgram *program = code->program;
  if (code->last && value_is(code->last->string, string)) return code->last;
  Str text;
  bool is_str = value_as_str(string, &text);
  if (!is_str && !value_as_bytes(ev, string, &text))
    eval_raise(ev, ev->types.TypeError, "expected string or bytes-like object, got '%s'",
               value_type_name(ev, string));
  if (is_str == program->is_bytes)
    eval_raise(ev, ev->types.TypeError,
               is_str ? "cannot use a bytes pattern on a string-like object"
                      : "cannot use a string pattern on a bytes-like object");
  Searched *s = ARENA_NEW(ev->arena, Searched);
  *s = (Searched){.string = string, .text = text, .is_bytes = program->is_bytes};
  s->subject.codes = re_codes(ev, string, program->is_bytes, &s->subject.count);
  s->is_ascii = !s->is_bytes && s->subject.count == text.len;
  if (is_str || value_is_instance(ev, string, ev->types.bytes)) code->last = s;
  return s;
}

static Value part(Eval *ev, const Searched *s, size_t start, size_t end) {
  if (s->is_ascii) return make_str(ev, (Str){s->text.data + start, end - start});
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = start; i < end; i++) {
    if (s->is_bytes)
      buf_char(&buf, (char)s->subject.codes[i]);
    else
      text_put_code(&buf, s->subject.codes[i]);
  }
  return s->is_bytes ? make_bytes(ev, buf_view(&buf)) : make_str(ev, buf_view(&buf));
}

static Value group_text(Eval *ev, const Searched *s, const size_t *marks, size_t group,
                        Value absent) {
  size_t start = marks[2 * group];
  return start == RE_UNSET ? absent : part(ev, s, start, marks[2 * group + 1]);
}

static size_t place(Eval *ev, Value v, const Searched *s) {
  int64_t at = take_index_clamped(ev, v);
  return at < 0 ? 0 : (size_t)at > s->subject.count ? s->subject.count : (size_t)at;
}

// ---- searching ----------------------------------------------------------------------------------
static Match *match_new(Eval *ev, const ReCodeObject *code, Value pattern, const Searched *s,
                        size_t pos, size_t endpos) {
  size_t bytes = sizeof(Match) + mark_count(code->program) * sizeof(size_t);
  Match *m = arena_alloc(ev->arena, bytes);
  *m = (Match){.base = {code->match_type},
               .program = code->program,
               .pattern = pattern,
               .searched = s,
               .pos = pos,
               .endpos = endpos};
  return m;
}

Value re_run(Eval *ev, Value *a) {
  const ReCodeObject *code = (const ReCodeObject *)a[0].o;
  const Searched *s = searched_text(ev, a[0], a[2]);
  size_t pos = place(ev, a[3], s), endpos = place(ev, a[4], s);
  if (pos > endpos) return v_none();
  Match *m = match_new(ev, code, a[1], s, pos, endpos);
  bool found = re_find(ev, code->program, &s->subject, pos, endpos, (ReMode)a[5].i, false, m->marks,
                       &m->last_group);
  return found ? v_object(m) : v_none();
}

// From one match to the next: an empty one does not follow another at its end.
typedef struct Sweep {
  size_t at, end;
  bool must_advance;
} Sweep;

static bool sweep_next(Eval *ev, Sweep *sweep, const ReProgram *program, const Searched *s,
                       size_t *marks, size_t *last_group) {
  if (sweep->at > sweep->end || !re_find(ev, program, &s->subject, sweep->at, sweep->end, RE_SEARCH,
                                         sweep->must_advance, marks, last_group))
    return false;
  sweep->at = marks[1];
  sweep->must_advance = marks[0] == marks[1];
  return true;
}

Value re_all(Eval *ev, Value *a) {
  const ReCodeObject *code = (const ReCodeObject *)a[0].o;
  const Searched *s = searched_text(ev, a[0], a[2]);
  size_t pos = place(ev, a[3], s);
  int64_t limit = take_index_clamped(ev, a[5]);
  Sweep sweep = {.at = pos, .end = place(ev, a[4], s)};
  List *found = list_new(ev, 4);
  while (limit == 0 || (int64_t)found->count < limit) {
    Match *m = match_new(ev, code, a[1], s, pos, sweep.end);
    if (!sweep_next(ev, &sweep, code->program, s, m->marks, &m->last_group)) break;
    list_push(ev, found, v_object(m));
  }
  return v_object(found);
}

static Value groups_tuple(Eval *ev, const ReProgram *program, const Searched *s,
                          const size_t *marks, Value absent) {
  Tuple *groups = tuple_new(ev, program->groups);
  for (size_t i = 0; i < program->groups; i++) groups->items[i] = v_none();
  for (size_t i = 0; i < program->groups; i++)
    groups->items[i] = group_text(ev, s, marks, i + 1, absent);
  return v_object(groups);
}

Value re_texts(Eval *ev, Value *a) {
  const ReProgram *program = ((const ReCodeObject *)a[0].o)->program;
  const Searched *s = searched_text(ev, a[0], a[1]);
  Sweep sweep = {.at = place(ev, a[2], s), .end = place(ev, a[3], s)};
  size_t *marks = ARENA_ARRAY(ev->arena, size_t, mark_count(program)), last_group;
  Value empty = part(ev, s, 0, 0);
  List *texts = list_new(ev, 4);
  while (sweep_next(ev, &sweep, program, s, marks, &last_group)) {
    list_push(ev, texts,
              program->groups > 1 ? groups_tuple(ev, program, s, marks, empty)
                                  : group_text(ev, s, marks, program->groups, empty));
  }
  return v_object(texts);
}

static void put_text(Eval *ev, Buf *out, Value text) {
  Str bytes;
  if (value_as_str(text, &bytes) || value_as_bytes(ev, text, &bytes)) buf_str(out, bytes);
}

static void put_part(Eval *ev, Buf *out, const Searched *s, size_t start, size_t end) {
  if (s->is_ascii)
    buf_str(out, (Str){s->text.data + start, end - start});
  else
    put_text(ev, out, part(ev, s, start, end));
}

Value re_replaced(Eval *ev, Value *a) {
  const ReProgram *program = ((const ReCodeObject *)a[0].o)->program;
  const Searched *s = searched_text(ev, a[0], a[1]);
  const List *pieces = value_as_list(a[2]);
  int64_t limit = take_index_clamped(ev, a[3]), count = 0;
  Sweep sweep = {.end = s->subject.count};
  size_t *marks = ARENA_ARRAY(ev->arena, size_t, mark_count(program)), last_group, at = 0;
  Buf out;
  buf_init(&out, ev->arena);
  while ((limit == 0 || count < limit) && sweep_next(ev, &sweep, program, s, marks, &last_group)) {
    put_part(ev, &out, s, at, marks[0]);
    for (size_t i = 0; i < pieces->count; i++) {
      Value piece = pieces->items[i];
      size_t group = piece.kind == V_INT ? (size_t)piece.i : 0;
      if (piece.kind != V_INT)
        put_text(ev, &out, piece);
      else if (marks[2 * group] != RE_UNSET)
        put_part(ev, &out, s, marks[2 * group], marks[2 * group + 1]);
    }
    at = marks[1];
    count++;
  }
  put_part(ev, &out, s, at, s->subject.count);
  Str text = buf_view(&out);
  Value items[] = {s->is_bytes ? make_bytes(ev, text) : make_str(ev, text), v_int(count)};
  return make_tuple(ev, 2, items);
}

// ---- matches ------------------------------------------------------------------------------------
static const Match *self_match(Value self) { return (const Match *)self.o; }

static size_t group_index(Eval *ev, const Match *m, Value group) {
  Str name;
  if (value_as_str(group, &name)) {
    for (size_t i = 1; i < m->program->names.count; i++)
      if (m->program->names.items[i] && str_equal(name_str(m->program->names.items[i]), name))
        return i;
    eval_raise(ev, ev->types.IndexError, "no such group");
  }
  Value index = group.kind == V_INT ? group : take_index_opt(ev, group);
  if (index.kind != V_INT || index.i < 0 || index.i > (int64_t)m->program->groups)
    eval_raise(ev, ev->types.IndexError, "no such group");
  return (size_t)index.i;
}

static Value text_of(Eval *ev, const Match *m, Value group, Value absent) {
  return group_text(ev, m->searched, m->marks, group_index(ev, m, group), absent);
}

static Value m_group(Eval *ev, Value *a) { // self, *groups
  const Match *m = self_match(a[0]);
  const Tuple *asked = value_as_tuple(a[1]);
  if (asked->count == 0) return group_text(ev, m->searched, m->marks, 0, v_none());
  if (asked->count == 1) return text_of(ev, m, asked->items[0], v_none());
  Tuple *texts = tuple_new(ev, asked->count);
  for (size_t i = 0; i < asked->count; i++) texts->items[i] = v_none();
  for (size_t i = 0; i < asked->count; i++)
    texts->items[i] = text_of(ev, m, asked->items[i], v_none());
  return v_object(texts);
}

static Value match_getitem(Eval *ev, Value self, Value group) {
  return text_of(ev, self_match(self), group, v_none());
}

static Value m_groups(Eval *ev, Value *a) {
  const Match *m = self_match(a[0]);
  return groups_tuple(ev, m->program, m->searched, m->marks, a[1]);
}

static Value m_groupdict(Eval *ev, Value *a) {
  const Match *m = self_match(a[0]);
  Dict *texts = dict_new(ev);
  for (size_t i = 1; i < m->program->names.count; i++)
    if (m->program->names.items[i])
      dict_set_name(ev, texts, m->program->names.items[i],
                    group_text(ev, m->searched, m->marks, i, a[1]));
  return v_object(texts);
}

static Value mark(const Match *m, size_t i) {
  return v_int(m->marks[i] == RE_UNSET ? -1 : (int64_t)m->marks[i]);
}

static Value span(Eval *ev, const Match *m, size_t group) {
  Value items[] = {mark(m, 2 * group), mark(m, 2 * group + 1)};
  return make_tuple(ev, 2, items);
}

static Value m_start(Eval *ev, Value *a) {
  return mark(self_match(a[0]), 2 * group_index(ev, self_match(a[0]), a[1]));
}

static Value m_end(Eval *ev, Value *a) {
  return mark(self_match(a[0]), 2 * group_index(ev, self_match(a[0]), a[1]) + 1);
}

static Value m_span(Eval *ev, Value *a) {
  return span(ev, self_match(a[0]), group_index(ev, self_match(a[0]), a[1]));
}

static Value m_expand(Eval *ev, Value *a) {
  Value args[] = {a[1], self_match(a[0])->pattern, a[0]};
  return value_call_n(ev, module_lookup(ev, "re", "_expanded"), 3, args);
}

static Value m_self(Eval *ev UNUSED, Value *a) { return a[0]; }

static Value m_class_getitem(Eval *ev, Value *a) { return make_generic_alias(ev, a[0], a[1]); }

static Value match_re(Eval *ev UNUSED, Value self) { return self_match(self)->pattern; }

static Value match_string(Eval *ev UNUSED, Value self) {
  return self_match(self)->searched->string;
}

static Value match_pos(Eval *ev UNUSED, Value self) {
  return v_int((int64_t)self_match(self)->pos);
}

static Value match_endpos(Eval *ev UNUSED, Value self) {
  return v_int((int64_t)self_match(self)->endpos);
}

static Value match_regs(Eval *ev, Value self) {
  const Match *m = self_match(self);
  List *spans = list_new(ev, m->program->groups + 1);
  for (size_t i = 0; i <= m->program->groups; i++) list_push(ev, spans, span(ev, m, i));
  return make_tuple(ev, spans->count, spans->items);
}

static Value match_lastindex(Eval *ev UNUSED, Value self) {
  size_t last = self_match(self)->last_group;
  return last ? v_int((int64_t)last) : v_none();
}

static Value match_lastgroup(Eval *ev, Value self) {
  const Match *m = self_match(self);
  bool has_name = m->last_group && m->last_group < m->program->names.count;
  Name name = has_name ? m->program->names.items[m->last_group] : NULL;
  return name ? make_name(ev, name) : v_none();
}

static Str match_repr(Eval *ev, Value self) {
  const Match *m = self_match(self);
  Str text = value_repr(ev, group_text(ev, m->searched, m->marks, 0, v_none()));
  return str_format(ev->arena, "<re.Match object; span=(%zu, %zu), match=%.*s>", m->marks[0],
                    m->marks[1], STR_FMT(text));
}

const NativeType re_match_type = {
    .slots = {.getitem = match_getitem, .repr = match_repr},
    .methods = (const NativeDef[]){{"group(self, *groups)", m_group},
                                   {"groups(self, default=None)", m_groups},
                                   {"groupdict(self, default=None)", m_groupdict},
                                   {"start(self, group=0, /)", m_start},
                                   {"end(self, group=0, /)", m_end},
                                   {"span(self, group=0, /)", m_span},
                                   {"expand(self, template)", m_expand},
                                   {"__copy__(self)", m_self},
                                   {"__deepcopy__(self, memo, /)", m_self},
                                   {"__class_getitem__(cls, item, /)", m_class_getitem},
                                   {0}},
    .getters = (const NativeGetter[]){{"re", match_re},
                                      {"string", match_string},
                                      {"pos", match_pos},
                                      {"endpos", match_endpos},
                                      {"regs", match_regs},
                                      {"lastindex", match_lastindex},
                                      {"lastgroup", match_lastgroup},
                                      {0}},
};
