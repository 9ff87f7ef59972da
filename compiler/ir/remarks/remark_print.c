// SPDX-License-Identifier: Apache-2.0
// Tells what was recorded. For people:
//   entry 'softmax'
//     softmax.pk:9:10: kernel 'rows': grid [8], 8 steps shared by threads
//       not done as operations on whole arrays: the kernel computes with the number of … (line 7)
//       block 'x_ref': input, 64 KiB, in place
//       lines 3 to 6: array operations max, sub, exp: row by row of [64]
//         loops: over [64, 256], vectors of 16, unrolled by 4, reads 64 KiB, …
// What was made several times in the same way, as in unrolled loops, is reported once. As JSON: an
// object for each of these lines that is no reason, with "id" and the "parent" that it is part of.
#include "base/buf.h"
#include "base/json.h"
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/core/place.h"
#include "remark_data.h"

typedef enum FactForm { NUMBER, NUMBERS, BYTES, COUNT, TEXT, FLAG } FactForm;

typedef struct FactInfo {
  const char *key, *text;
  FactForm form;
} FactInfo;

static const FactInfo fact_infos[FACT_COUNT] = {
#define FACT(id, key, form, text) [FACT_##id] = {key, text, form},
#include "remark.def"
};

typedef struct KindInfo {
  const char *key, *text;
} KindInfo;

static const KindInfo kind_infos[REMARK_KIND_COUNT] = {
#define REMARK_KIND(id, key, text) [REMARK_##id] = {key, text},
#include "remark.def"
};

typedef enum OutcomeId {
#define OUTCOME(id, ...) OUTCOME_##id,
#include "remark.def"
  OUTCOME_COUNT
} OutcomeId;

static const KindInfo outcome_infos[OUTCOME_COUNT] = {
#define OUTCOME(id, key, text) [OUTCOME_##id] = {key, text},
#include "remark.def"
};

typedef struct ReasonInfo {
  const char *key, *text, *help; // help: what to change; "": nothing to warn of
  OutcomeId outcome;
} ReasonInfo;

static const ReasonInfo reason_infos[REASON_COUNT] = {
#define REASON(id, key, outcome, text, help) [REASON_##id] = {key, text, help, OUTCOME_##outcome},
#include "remark.def"
};

typedef struct Items {
  RemarkItem **items;
  size_t count;
} Items;

typedef struct Teller {
  Session *session;
} Teller;

// ---- words --------------------------------------------------------------------------------------
// `text` with `value` in the place of {}.
static void put_filled(Buf *out, const char *text, Str value) {
  for (; *text; text++) {
    if (text[0] == '{' && text[1] == '}') {
      buf_str(out, value);
      text++;
    } else {
      buf_char(out, *text);
    }
  }
}

// 65536 as 64 of units of 1024; with one digit behind the point, if that is not 0.
static Str scaled(Arena *arena, int64_t number, int64_t unit, const char *const *units,
                  size_t unit_count) {
  size_t which = 0;
  int64_t scale = 1;
  while (which + 1 < unit_count && number / scale >= unit) {
    scale *= unit;
    which++;
  }
  const char *space = *units[which] ? " " : "";
  if ((number * 10 + scale / 2) / scale % 10 == 0)
    return str_format(arena, "%lld%s%s", (long long)((number + scale / 2) / scale), space,
                      units[which]);
  return str_format(arena, "%.1f%s%s", (double)number / (double)scale, space, units[which]);
}

static Str fact_value(Arena *arena, FactForm form, const Fact *fact) {
  static const char *const bytes[] = {"B", "KiB", "MiB", "GiB", "TiB"}, *const counts[] = {
                                                                            "", "k", "M", "G", "T"};
  Buf buf;
  switch (form) {
  case NUMBER: return str_format(arena, "%lld", (long long)fact->numbers[0]);
  case BYTES: return scaled(arena, fact->numbers[0], 1024, bytes, COUNT_OF(bytes));
  case COUNT: return scaled(arena, fact->numbers[0], 1000, counts, COUNT_OF(counts));
  case NUMBERS:
    buf_init(&buf, arena);
    for (size_t i = 0; i < fact->count; i++)
      buf_printf(&buf, "%s%lld", i ? ", " : "[", (long long)fact->numbers[i]);
    buf_c(&buf, fact->count ? "]" : "[]");
    return buf_view(&buf);
  case TEXT:
  case FLAG: break;
  }
  return fact->text;
}

static Str reason_text(Arena *arena, const RemarkItem *item, const Reason *reason) {
  const ReasonInfo *info = &reason_infos[reason->id];
  Buf buf;
  buf_init(&buf, arena);
  put_filled(&buf, outcome_infos[info->outcome].text, item->name);
  buf_c(&buf, ": ");
  put_filled(&buf, info->text, reason->what);
  return buf_view(&buf);
}

// ---- for people ---------------------------------------------------------------------------------
static uint32_t line_of(const Teller *t, Span span) {
  const SourceFile *file = source_get(t->session, span.file);
  return file ? source_line_col(file, span.begin).line : 0;
}

// " (line 7)", of another file with its path; nothing for the item's only line.
static void put_reason_place(const Teller *t, const RemarkItem *item, Span span, Buf *out) {
  const SourceFile *file = source_get(t->session, span.file);
  if (!file) return;
  uint32_t line = line_of(t, span);
  bool is_near = span.file == item->span.file;
  if (is_near && line == line_of(t, item->span) && line == line_of(t, item->last)) return;
  if (is_near)
    buf_printf(out, " (line %u)", line);
  else
    buf_printf(out, " (%.*s:%u)", STR_FMT(file->path), line);
}

static void put_item_place(const Teller *t, const RemarkItem *item, Buf *out) {
  const SourceFile *file = source_get(t->session, item->span.file);
  if (!file || item->kind == REMARK_BLOCK || item->kind == REMARK_LOOPS) return;
  LineCol first = source_line_col(file, item->span.begin);
  uint32_t last = line_of(t, item->last);
  if (!item->parent || item->parent->span.file != item->span.file) {
    buf_printf(out, "%.*s:%u:%u: ", STR_FMT(file->path), first.line, first.column);
    if (last > first.line) buf_printf(out, "to line %u: ", last);
  } else if (last > first.line) {
    buf_printf(out, "lines %u to %u: ", first.line, last);
  } else {
    buf_printf(out, "line %u: ", first.line);
  }
}

static void put_reasons(const Teller *t, const RemarkItem *item, size_t depth, Buf *out) {
  size_t count = item->reasons.count;
  Str *lines = ARENA_ARRAY(out->arena, Str, count + 1);
  size_t *times = ARENA_ARRAY(out->arena, size_t, count + 1), kept = 0;
  for (size_t i = 0; i < count; i++) {
    const Reason *reason = &item->reasons.items[i].reason;
    Buf line;
    buf_init(&line, out->arena);
    buf_str(&line, reason_text(out->arena, item, reason));
    put_reason_place(t, item, reason->span, &line);
    size_t same = 0;
    while (same < kept && !str_equal(lines[same], buf_view(&line))) same++;
    if (same == kept) lines[kept++] = buf_view(&line);
    times[same]++;
  }
  for (size_t i = 0; i < kept; i++) {
    buf_pad(out, ' ', 2 * depth);
    buf_str(out, lines[i]);
    if (times[i] > 1) buf_printf(out, ", %zu times", times[i]);
    buf_char(out, '\n');
  }
}

static void put_items(const Teller *t, Items items, size_t depth, Buf *out);

static Items parts_of(const RemarkItem *item) {
  return (Items){item->parts.items, item->parts.count};
}

// Without its parts.
static void put_own(const Teller *t, const RemarkItem *item, size_t depth, size_t times, Buf *out) {
  buf_pad(out, ' ', 2 * depth);
  put_item_place(t, item, out);
  put_filled(out, kind_infos[item->kind].text, item->name);
  if (times > 1) buf_printf(out, ", %zu times", times);
  const char *before = ": ";
  for (int i = 0; i < FACT_COUNT; i++) {
    if (!item->facts[i].is_known) continue;
    buf_c(out, before);
    put_filled(out, fact_infos[i].text,
               fact_value(out->arena, fact_infos[i].form, &item->facts[i]));
    before = ", ";
  }
  buf_char(out, '\n');
  put_reasons(t, item, depth + 1, out);
}

static void put_item(const Teller *t, const RemarkItem *item, size_t depth, size_t times,
                     Buf *out) {
  put_own(t, item, depth, times, out);
  put_items(t, parts_of(item), depth + 1, out);
}

// ---- what is the same ---------------------------------------------------------------------------
// As the item is reported. Of kernels at one place the first has what code was made of their body:
// they are compared without it.
static Str identity(const Teller *t, const RemarkItem *item) {
  Buf buf;
  buf_init(&buf, t->session->arena);
  buf_printf(&buf, "%.*s %zu\n", STR_FMT(item->entry), item->site);
  if (item->kind != REMARK_KERNEL) {
    put_item(t, item, 0, 1, &buf);
    return buf_view(&buf);
  }
  put_own(t, item, 0, 1, &buf);
  for (size_t i = 0; i < item->parts.count; i++)
    if (item->parts.items[i]->kind == REMARK_BLOCK) put_item(t, item->parts.items[i], 1, 1, &buf);
  return buf_view(&buf);
}

typedef struct Sibling {
  const RemarkItem *item;
  Name identity;
  size_t times;
} Sibling;
typedef VEC(Sibling) Siblings;

// Equal ones once.
static Siblings siblings_of(const Teller *t, Items items) {
  Siblings all = {0};
  Map *places = map_new(t->session->arena); // identity -> position + 1
  for (size_t i = 0; i < items.count; i++) {
    const RemarkItem *item = items.items[i];
    Name own = name_intern(t->session->interner, identity(t, item));
    size_t place = (size_t)map_get(places, own);
    if (place) {
      all.items[place - 1].times++;
      continue;
    }
    VEC_PUSH(t->session->arena, &all, ((Sibling){item, own, 1}));
    map_set(places, own, (void *)all.count);
  }
  return all;
}

static void put_items(const Teller *t, Items items, size_t depth, Buf *out) {
  Siblings parts = siblings_of(t, items);
  for (size_t i = 0; i < parts.count; i++)
    put_item(t, parts.items[i].item, depth, parts.items[i].times, out);
}

// Those that are part of nothing, by entry point.
static void put_entries(const Teller *t, Items roots, Buf *out) {
  Map *seen = map_new(out->arena);
  for (size_t i = 0; i < roots.count; i++) {
    Name entry = name_intern(t->session->interner, roots.items[i]->entry);
    if (map_has(seen, entry)) continue;
    map_set(seen, entry, entry);
    buf_printf(out, "entry '%s'\n", entry->text);
    VEC(RemarkItem *) own = {0};
    for (size_t k = i; k < roots.count; k++)
      if (str_equal(roots.items[k]->entry, name_str(entry)))
        VEC_PUSH(out->arena, &own, roots.items[k]);
    put_items(t, (Items){own.items, own.count}, 1, out);
  }
}

// ---- JSON ---------------------------------------------------------------------------------------
static void put_json_fact(FactForm form, const Fact *fact, Buf *out) {
  if (form == FLAG) {
    buf_c(out, "true");
  } else if (form == TEXT) {
    json_string(fact->text, out);
  } else if (form == NUMBERS) {
    for (size_t i = 0; i < fact->count; i++)
      buf_printf(out, "%s%lld", i ? "," : "[", (long long)fact->numbers[i]);
    buf_c(out, fact->count ? "]" : "[]");
  } else {
    buf_printf(out, "%lld", (long long)fact->numbers[0]);
  }
}

static void put_json_reasons(const Teller *t, const RemarkItem *item, Buf *out) {
  buf_c(out, ",\"reasons\":[");
  for (size_t i = 0; i < item->reasons.count; i++) {
    const Reason *reason = &item->reasons.items[i].reason;
    const ReasonInfo *info = &reason_infos[reason->id];
    buf_printf(out, "%s{\"outcome\":\"%s\",\"reason\":\"%s\",\"message\":", i ? "," : "",
               outcome_infos[info->outcome].key, info->key);
    json_string(reason_text(out->arena, item, reason), out);
    json_place(t->session, reason->span, false, out);
    if (*info->help) {
      buf_c(out, ",\"help\":");
      json_string(str_from_c(info->help), out);
    }
    buf_char(out, '}');
  }
  buf_c(out, "]");
}

static void put_json_items(const Teller *t, Items items, size_t parent, size_t *id, Buf *out);

static void put_json_item(const Teller *t, const Sibling *sibling, size_t parent, size_t *id,
                          Buf *out) {
  const RemarkItem *item = sibling->item;
  size_t own = ++*id;
  buf_printf(out, "{\"report\":\"%s\",\"id\":%zu", kind_infos[item->kind].key, own);
  if (parent) buf_printf(out, ",\"parent\":%zu", parent);
  buf_c(out, ",\"entry\":");
  json_string(item->entry, out);
  if (item->name.len) {
    buf_c(out, ",\"name\":");
    json_string(item->name, out);
  }
  json_place(t->session, (Span){item->span.file, item->span.begin, item->last.end}, true, out);
  buf_printf(out, ",\"times\":%zu", sibling->times);
  for (int i = 0; i < FACT_COUNT; i++) {
    if (!item->facts[i].is_known) continue;
    buf_printf(out, ",\"%s\":", fact_infos[i].key);
    put_json_fact(fact_infos[i].form, &item->facts[i], out);
  }
  put_json_reasons(t, item, out);
  buf_c(out, "}\n");
  put_json_items(t, parts_of(item), own, id, out);
}

static void put_json_items(const Teller *t, Items items, size_t parent, size_t *id, Buf *out) {
  Siblings parts = siblings_of(t, items);
  for (size_t i = 0; i < parts.count; i++) put_json_item(t, &parts.items[i], parent, id, out);
}

// ---- the whole ----------------------------------------------------------------------------------
void remark_report(Session *session) {
  if (!session->remarks) return;
  const Teller t = {session};
  VEC(RemarkItem *) all = {0};
  for (size_t i = 0; i < session->remarks->items.count; i++) {
    RemarkItem *item = session->remarks->items.items[i];
    if (item->parent)
      VEC_PUSH(session->arena, &item->parent->parts, item);
    else
      VEC_PUSH(session->arena, &all, item);
  }
  Items roots = {all.items, all.count};
  Buf out;
  size_t id = 0;
  buf_init(&out, session->arena);
  if (session->error_format == FORMAT_JSON)
    put_json_items(&t, roots, 0, &id, &out);
  else
    put_entries(&t, roots, &out);
  fwrite(out.data, 1, out.len, session->diag_out);
  fflush(session->diag_out);
}

// ---- warnings -----------------------------------------------------------------------------------
// The warning of a block, or of an operation, stands there, with a note of what is in the way. What
// has no place, as what a program computes between its statements, cannot be changed.
static void warn(Session *session, const RemarkItem *item, const Reason *reason) {
  const ReasonInfo *info = &reason_infos[reason->id];
  Str text = reason_text(session->arena, item, reason);
  bool is_apart = item->kind == REMARK_BLOCK || item->kind == REMARK_OPERATION;
  Span span = reason->span.file && !is_apart ? reason->span : item->span;
  if (!span.file || diag_is_reported(session, span, text)) return;
  Diag *diag = diag_warning(session, WARN_PERF, span, "%.*s", STR_FMT(text));
  if (is_apart && reason->span.file && reason->span.begin != span.begin)
    diag_note(session, diag, reason->span, "this stands in the way");
  diag_help(diag, str_from_c(info->help));
  ir_diag_frames(session, diag, item->frames);
}

void remark_warn(Session *session) {
  for (size_t i = 0; session->remarks && i < session->remarks->items.count; i++) {
    const RemarkItem *item = session->remarks->items.items[i];
    for (size_t k = 0; k < item->reasons.count; k++) {
      const RemarkReason *own = &item->reasons.items[k];
      if (reason_infos[own->reason.id].help[0] && !own->is_little)
        warn(session, item, &own->reason);
    }
  }
}
