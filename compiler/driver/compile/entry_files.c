// SPDX-License-Identifier: Apache-2.0
// Entry points and constants of several sources. In: the sources, and the texts of --entry and -D.
// Out: the entries of one source, and which -D are no matter of its. An entry belongs to the source
// whose text defines its function; if none does, to the first that imports it; FILE:FUNCTION(…)
// says it. Sources are only parsed for it, in a session of their own: what is wrong with one is
// reported when it is compiled. One that no source has is the first's error.
#include <string.h>
#include "entry_files.h"
#include "driver/output/path.h"
#include "jax/program/entry.h"
#include "python/values/evaluator_state.h"
#include "python/values/suggest.h"

typedef enum Claim { CLAIM_NONE, CLAIM_IMPORTS, CLAIM_DEFINES } Claim;

typedef struct FileNames {
  bool is_read, has_star;
  StrList defined, imported;
} FileNames;

typedef struct EntryFiles {
  Session *session;
  const Options *options;
  FileNames *files; // of each source
} EntryFiles;

// ---- names of a source --------------------------------------------------------------------------
typedef struct NameReading {
  Arena *arena;
  Str path;
  FileNames *out;
} NameReading;

static void add_global(void *data, Name name, bool is_imported) {
  NameReading *r = data;
  StrList *list = is_imported ? &r->out->imported : &r->out->defined;
  if (name)
    VEC_PUSH(r->arena, list, str_copy(r->arena, name_str(name)));
  else
    r->out->has_star = true;
}

static int read_globals(Session *quiet, void *data) {
  NameReading *r = data;
  SourceFile *file = source_read(quiet, r->path, (Span){0});
  if (file) syntax_each_global(quiet, syntax_parse_imported(quiet, file), add_global, r);
  return 0;
}

static bool is_read_already(const Session *session, Str path) {
  for (size_t i = 0; i < session->files.count; i++)
    if (str_equal(session->files.items[i]->path, path)) return true;
  return false;
}

static const FileNames *names_of(EntryFiles *e, size_t which) {
  FileNames *names = &e->files[which];
  Str path = e->options->sources.items[which];
  if (names->is_read) return names;
  names->is_read = true;
  if (str_equal(path, STR("-"))) return names; // it can be read only once
  NameReading reading = {e->session->arena, path, names};
  Session *quiet = session_new(e->options->memory_limit);
  if (!quiet) return names;
  session_run(quiet, read_globals, &reading);
  session_free(quiet);
  // What --only leaves out has been read as well: the dependency file says so.
  if (e->options->only.len && !is_read_already(e->session, path))
    source_add(e->session, path, STR(""), false);
  return names;
}

// ---- texts of entries ---------------------------------------------------------------------------
typedef struct EntryText {
  Str all, file;    // `file` of FILE:FUNCTION, or empty
  Str callee;       // the expression that is called
  Str without_file; // the entry as it is traced
} EntryText;

static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9') ||
         (unsigned char)c >= 0x80;
}

static Str trimmed(Str text) {
  while (text.len && text.data[0] == ' ') text = (Str){text.data + 1, text.len - 1};
  while (text.len && text.data[text.len - 1] == ' ') text.len--;
  return text;
}

// Where the brackets of the last call open: the end of what is called.
static size_t last_call(Str text) {
  size_t open = text.len, depth = 0;
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    if (c == '(' && depth == 0) open = i;
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && depth) depth--;
  }
  return open;
}

// The length of `text` before its first `c`, if that is before the first bracket; else SIZE_MAX.
static size_t before(Str text, char c) {
  for (size_t i = 0; i < text.len && text.data[i] != '('; i++)
    if (text.data[i] == c) return i;
  return SIZE_MAX;
}

static EntryText split_entry(Arena *arena, Str text) {
  EntryText t = {.all = text, .without_file = text};
  size_t equals = before(text, '='), start = equals == SIZE_MAX ? 0 : equals + 1;
  Str call = {text.data + start, text.len - start};
  size_t colon = before(call, ':');
  if (colon != SIZE_MAX) {
    t.file = trimmed((Str){call.data, colon});
    call = (Str){call.data + colon + 1, call.len - colon - 1};
    t.without_file = str_format(arena, "%.*s%.*s", (int)start, text.data, (int)call.len, call.data);
  }
  t.callee = trimmed((Str){call.data, last_call(call)});
  return t;
}

// The next name of an expression that is not an attribute's; empty at the end.
static Str next_name(Str text, size_t *at) {
  while (*at < text.len) {
    size_t begin = *at;
    while (*at < text.len && is_name_char(text.data[*at])) ++*at;
    if (*at > begin && (begin == 0 || text.data[begin - 1] != '.'))
      return (Str){text.data + begin, *at - begin};
    if (*at == begin) ++*at;
  }
  return (Str){0};
}

// ---- which source -------------------------------------------------------------------------------
static bool has_name(const StrList *list, Str name) {
  for (size_t i = 0; i < list->count; i++)
    if (str_equal(list->items[i], name)) return true;
  return false;
}

static Claim claim_of(EntryFiles *e, size_t which, const EntryText *entry) {
  const FileNames *names = names_of(e, which);
  Claim best = names->has_star ? CLAIM_IMPORTS : CLAIM_NONE;
  Str name;
  for (size_t at = 0; (name = next_name(entry->callee, &at)).len;) {
    if (has_name(&names->defined, name)) return CLAIM_DEFINES;
    if (has_name(&names->imported, name)) best = CLAIM_IMPORTS;
  }
  return best;
}

static Span entry_span(Session *session, Str text) {
  SourceFile *file = source_add(session, STR("<command line>"), text, false);
  return (Span){file->id, 0, (uint32_t)text.len};
}

static void report_missing(EntryFiles *e, const EntryText *entry) {
  size_t at = 0, nearest = 0;
  Str name = next_name(entry->callee, &at);
  bool is_call = memchr(entry->all.data, '(', entry->all.len) != NULL;
  if (!name.len || (!is_call && name.len < entry->callee.len)) {
    diag_error(e->session, entry_span(e->session, entry->all), ENTRY_NO_CALL);
    return;
  }
  Suggestion suggestion;
  suggestion_init(&suggestion, name);
  for (size_t i = 0; i < e->options->sources.count; i++) {
    const FileNames *names = names_of(e, i);
    Str best = suggestion.best;
    for (size_t k = 0; k < names->defined.count; k++)
      suggestion_try(&suggestion, names->defined.items[k]);
    if (suggestion.best.data != best.data) nearest = i;
  }
  Diag *diag = diag_error(e->session, entry_span(e->session, entry->all),
                          "no file defines '%.*s', which an entry point names", STR_FMT(name));
  if (suggestion.best.len)
    diag_help(diag, str_format(e->session->arena, "did you mean '%.*s' of %.*s?",
                               STR_FMT(suggestion.best),
                               STR_FMT(path_file_name(e->options->sources.items[nearest]))));
}

static void report_two(EntryFiles *e, const EntryText *entry, size_t first, size_t second) {
  const StrList *sources = &e->options->sources;
  Diag *diag = diag_error(e->session, entry_span(e->session, entry->all),
                          "both '%.*s' and '%.*s' define what this entry point names",
                          STR_FMT(sources->items[first]), STR_FMT(sources->items[second]));
  diag_help(diag, STR("write FILE:FUNCTION(…)"));
}

// Whether the path is, or ends with, what FILE:FUNCTION says.
static bool is_named(Str path, Str wanted) {
  if (str_equal(path, wanted)) return true;
  return path.len > wanted.len && path.data[path.len - wanted.len - 1] == '/' &&
         str_ends_with(path, wanted);
}

// The source of FILE:FUNCTION. SIZE_MAX after a diagnostic.
static size_t named_owner(EntryFiles *e, const EntryText *entry, bool reports) {
  const StrList *sources = &e->options->sources;
  size_t owner = SIZE_MAX;
  for (size_t i = 0; i < sources->count; i++) {
    if (!is_named(sources->items[i], entry->file)) continue;
    if (owner != SIZE_MAX) {
      if (reports) report_two(e, entry, owner, i);
      return SIZE_MAX;
    }
    owner = i;
  }
  if (owner == SIZE_MAX && reports)
    diag_error(e->session, entry_span(e->session, entry->all),
               "'%.*s' is none of the files that are compiled", STR_FMT(entry->file));
  return owner;
}

// The source that an entry belongs to, SIZE_MAX if none; then there was a diagnostic, if `reports`.
static size_t owner_of(EntryFiles *e, const EntryText *entry, bool reports) {
  if (entry->file.len) return named_owner(e, entry, reports);
  size_t owner = SIZE_MAX;
  Claim best = CLAIM_NONE;
  for (size_t i = 0; i < e->options->sources.count; i++) {
    Claim claim = claim_of(e, i, entry);
    if (claim == CLAIM_DEFINES && best == CLAIM_DEFINES) {
      if (reports) report_two(e, entry, owner, i);
      return SIZE_MAX;
    }
    if (claim <= best) continue;
    best = claim;
    owner = i;
  }
  if (owner == SIZE_MAX && reports) report_missing(e, entry);
  return owner;
}

static bool belongs(EntryFiles *e, size_t which, const EntryText *entry) {
  // The first speaks for all; the others need not read the rest to see what is not theirs.
  if (which && !entry->file.len && claim_of(e, which, entry) == CLAIM_NONE) return false;
  return owner_of(e, entry, which == 0) == which;
}

static size_t place_of(const Options *o, Str source) {
  size_t which = 0;
  while (which < o->sources.count && !str_equal(o->sources.items[which], source)) which++;
  return which;
}

// Of what no source assigns, the first reports.
const bool *entry_files_defines(Session *session, const Options *o, Str source) {
  if (o->sources.count < 2 || !o->define_names.count) return NULL;
  EntryFiles e = {session, o, ARENA_ARRAY(session->arena, FileNames, o->sources.count)};
  bool *is_others = ARENA_ARRAY(session->arena, bool, o->define_names.count);
  size_t which = place_of(o, source);
  for (size_t i = 0; i < o->define_names.count; i++) {
    is_others[i] = which != 0;
    for (size_t k = 1; k < o->sources.count && !is_others[i]; k++) {
      const FileNames *names = names_of(&e, k);
      is_others[i] = names->has_star || has_name(&names->defined, o->define_names.items[i]);
    }
  }
  return is_others;
}

bool entry_files_requests(Session *session, const Options *o, Str source, EntryRequest **out,
                          size_t *count) {
  EntryFiles e = {session, o, ARENA_ARRAY(session->arena, FileNames, o->sources.count + 1)};
  size_t errors = session->error_count, which = place_of(o, source);
  *out = ARENA_ARRAY(session->arena, EntryRequest, o->entries.count + 1);
  *count = 0;
  for (size_t i = 0; i < o->entries.count; i++) {
    EntryText entry = split_entry(session->arena, o->entries.items[i]);
    bool is_plain = o->sources.count == 1 && !entry.file.len;
    if (is_plain || belongs(&e, which, &entry)) (*out)[(*count)++].text = entry.without_file;
  }
  return session->error_count == errors;
}
