// SPDX-License-Identifier: Apache-2.0
// Diagnostics: kept in order by the session, printed for people or as JSON.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "json.h"
#include "session.h"
#include "unicode.h"

#define SHOWN_FRAMES 16 // of longer stacks the middle is left out
#define FIRST_FRAMES 12
#define SHOWN_CASES  6
#define LONG_LINE    240 // bytes; of a longer line a window is shown
#define WINDOW_AHEAD 60  // bytes shown before the span then

static const struct {
  const char *name, *about;
} warnings[WARN_COUNT] = {
#define WARNING(id, name, on, text) [WARN_##id] = {name, text},
#include "warnings.def"
#undef WARNING
};

bool warning_from_name(Str name, WarningGroup *out) {
  for (int i = 0; i < WARN_COUNT; i++) {
    if (str_equal(name, str_from_c(warnings[i].name))) {
      *out = (WarningGroup)i;
      return true;
    }
  }
  return false;
}

// ---- making ------------------------------------------------------------------------------------
// Texts of the command line are written anew for each case.
static bool is_same_place(const Session *session, Span a, Span b) {
  if (a.file == b.file) return a.begin == b.begin && a.end == b.end;
  const SourceFile *first = source_get(session, a.file), *second = source_get(session, b.file);
  return first && second && str_equal(first->path, second->path);
}

// What was kept for another case; NULL if there is none.
static Diag *find_repeated(const Session *session, const Diag *diag) {
  for (Diag *d = session->diag_case.text.len ? session->first_diag : NULL; d; d = d->next)
    if (d->case_count && d->severity == diag->severity && d->group == diag->group &&
        is_same_place(session, d->span, diag->span) && str_equal(d->message, diag->message))
      return d;
  return NULL;
}

static void add_case(Session *session, Diag *diag) {
  const DiagCase *one = &session->diag_case;
  if (!one->text.len || str_equal(one->text, diag->last_case)) return;
  diag->last_case = one->text;
  if (diag->case_count++ == 0)
    diag_note(session, diag, diag->span, "with %.*s", STR_FMT(one->text));
  else if (diag->case_count <= SHOWN_CASES)
    diag->notes->message =
        str_format(session->arena, "%.*s; %.*s", STR_FMT(diag->notes->message), STR_FMT(one->text));
  else if (diag->case_count == SHOWN_CASES + 1)
    diag->notes->message =
        str_format(session->arena, "%.*s; and others", STR_FMT(diag->notes->message));
  if (diag->case_count == one->total) diag->notes = diag->notes->next;
}

bool diag_is_reported(const Session *session, Span span, Str message) {
  for (const Diag *d = session->first_diag; d; d = d->next)
    if (d->span.file == span.file && d->span.begin == span.begin && d->span.end == span.end &&
        str_equal(d->message, message) && str_equal(d->last_case, session->diag_case.text))
      return true;
  return false;
}

static Diag *keep(Session *session, Severity severity, WarningGroup group, Span span,
                  const char *fmt, va_list args) {
  size_t *count = severity == SEV_ERROR ? &session->error_count : &session->warning_count;
  bool is_full = (*count)++ - session->repeat_count[severity] >= session->max_errors;
  if (is_full && !session->diag_case.text.len) {
    session->unkept_count++;
    return NULL;
  }
  Diag *diag = ARENA_NEW(session->arena, Diag);
  diag->severity = severity;
  diag->group = group;
  diag->span = span;
  diag->message = str_vformat(session->arena, fmt, args);
  Diag *repeated = find_repeated(session, diag);
  if (repeated) {
    session->repeat_count[severity]++;
    add_case(session, repeated);
    return NULL;
  }
  if (is_full) {
    session->unkept_count++;
    return NULL;
  }
  if (session->last_diag)
    session->last_diag->next = diag;
  else
    session->first_diag = diag;
  session->last_diag = diag;
  if (!session->next_to_print) session->next_to_print = diag;
  add_case(session, diag);
  return diag;
}

Diag *diag_error(Session *session, Span span, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  Diag *diag = keep(session, SEV_ERROR, WARN_COUNT, span, fmt, args);
  va_end(args);
  return diag;
}

Diag *diag_warning(Session *session, WarningGroup group, Span span, const char *fmt, ...) {
  if (!session->warning_on[group]) return NULL;
  Severity severity = session->warning_is_error[group] ? SEV_ERROR : SEV_WARNING;
  va_list args;
  va_start(args, fmt);
  Diag *diag = keep(session, severity, group, span, fmt, args);
  va_end(args);
  return diag;
}

void diag_note(Session *session, Diag *diag, Span span, const char *fmt, ...) {
  if (!diag) return;
  va_list args;
  va_start(args, fmt);
  Diag *note = ARENA_NEW(session->arena, Diag);
  *note = (Diag){.severity = SEV_NOTE, .group = WARN_COUNT, .span = span};
  note->message = str_vformat(session->arena, fmt, args);
  va_end(args);
  Diag **end = &diag->notes;
  while (*end) end = &(*end)->next;
  *end = note;
}

void diag_help(Diag *diag, Str help) {
  if (diag) diag->help = help;
}

void diag_kind(Diag *diag, DiagKind kind) {
  if (diag) diag->kind = kind;
}

Diag *diag_last(Session *session, DiagKind kind) {
  Diag *last = session->last_diag;
  return last && last->kind == kind ? last : NULL;
}

void diag_exception(Diag *diag, Catchable type, Str words) {
  if (!diag) return;
  diag->exception = type;
  diag->words = words;
}

static const char *const catchable_names[] = {[CATCH_FLOATING_POINT_ERROR] = "FloatingPointError",
                                              [CATCH_JAX_RUNTIME_ERROR] = "JaxRuntimeError",
                                              [CATCH_KEYBOARD_INTERRUPT] = "KeyboardInterrupt",
                                              [CATCH_NOT_IMPLEMENTED_ERROR] = "NotImplementedError",
                                              [CATCH_TYPE_ERROR] = "TypeError",
                                              [CATCH_VALUE_ERROR] = "ValueError"};

// What it says as the text of an exception: a note is a line.
static Str exception_text(const Session *session, const Diag *diag) {
  Buf buf;
  buf_init(&buf, session->arena);
  buf_printf(&buf, "%.*s%s%.*s", STR_FMT(diag->words), diag->words.len ? " " : "",
             STR_FMT(diag->message));
  for (const Diag *note = diag->notes; note; note = note->next)
    buf_printf(&buf, "\n%.*s", STR_FMT(note->message));
  return buf_view(&buf);
}

size_t diag_take_exceptions(Session *session, Catchable *type, Str *text) {
  size_t taken = 0;
  bool is_printed = session->next_to_print != NULL;
  Diag *last = NULL, **link = &session->first_diag;
  for (Diag *d = session->first_diag; d; d = d->next) {
    if (d == session->next_to_print) is_printed = false;
    if (is_printed || !session->next_to_print || d->exception == NOT_CATCHABLE) {
      last = d;
      link = &d->next;
      continue;
    }
    if (!taken++) {
      *type = d->exception;
      *text = exception_text(session, d);
    }
    *link = d->next;
    if (d == session->next_to_print) session->next_to_print = d->next;
    session->error_count--;
  }
  session->last_diag = last;
  return taken;
}

Diag *diag_set_aside(Session *session, const Diag *last) {
  bool is_new = last == NULL, is_printed = session->next_to_print != NULL;
  Diag *aside = NULL, **end = &aside, *before = NULL, **link = &session->first_diag;
  for (Diag *d = session->first_diag; d; d = d->next) {
    if (d == session->next_to_print) is_printed = false;
    if (!is_new || is_printed || !session->next_to_print || d->severity != SEV_ERROR) {
      is_new = is_new || d == last;
      before = d;
      link = &d->next;
      continue;
    }
    *link = d->next;
    if (d == session->next_to_print) session->next_to_print = d->next;
    *end = d;
    end = &d->next;
    session->error_count--;
  }
  *end = NULL;
  session->last_diag = before;
  return aside;
}

void diag_put_back(Session *session, Diag *aside) {
  if (!aside) return;
  if (session->last_diag)
    session->last_diag->next = aside;
  else
    session->first_diag = aside;
  if (!session->next_to_print) session->next_to_print = aside;
  for (Diag *d = aside; d; d = d->next) {
    session->error_count++;
    session->last_diag = d;
  }
}

void diag_frames(Session *session, Diag *diag, const DiagFrame *frames, size_t count) {
  if (!diag) return;
  diag->frames = ARENA_ARRAY(session->arena, DiagFrame, count);
  if (count) memcpy(diag->frames, frames, count * sizeof *frames);
  diag->frame_count = count;
}

// ---- for people --------------------------------------------------------------------------------
typedef struct Style {
  const char *severity[3], *bold, *caret, *off;
} Style;

static const Style plain = {{"", "", ""}, "", "", ""};
static const Style coloured = {
    {"\033[1;36m", "\033[1;35m", "\033[1;31m"}, "\033[1m", "\033[1;32m", "\033[0m"};
static const char *const severity_names[] = {"note", "warning", "error"};

// "kernel.pk:4:10: ", or "pallasc: " for nowhere.
static void put_place(const Session *session, Span span, Buf *buf) {
  const SourceFile *file = source_get(session, span.file);
  if (!file) {
    buf_c(buf, "pallasc: ");
    return;
  }
  LineCol at = source_line_col(file, span.begin);
  buf_str(buf, file->path);
  buf_printf(buf, ":%u:%u: ", at.line, at.column);
}

static bool is_char_start(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

// What a line shows: bytes [begin, end) of it, cut where "..." stands.
typedef struct Window {
  size_t begin, end;
} Window;

static Window window_of(Str line, size_t from) {
  Window window = {0, line.len};
  if (line.len <= LONG_LINE) return window;
  if (from > WINDOW_AHEAD) window.begin = from - WINDOW_AHEAD;
  if (window.begin > line.len) window.begin = line.len;
  if (line.len - window.begin > LONG_LINE) window.end = window.begin + LONG_LINE;
  while (window.begin > 0 && window.begin < line.len && !is_char_start(line.data[window.begin]))
    window.begin--;
  while (window.end < line.len && !is_char_start(line.data[window.end])) window.end--;
  return window;
}

// One character of the line, made harmless for a terminal; returns its width.
static unsigned put_char(Str line, size_t *at, Buf *buf) {
  size_t begin = *at;
  uint32_t code = utf8_decode(line, at);
  if (code == '\t' || (code >= 0x20 && code < 0x7f)) {
    buf_char(buf, (char)code);
    return 1;
  }
  if (code == '\f' || code == '\v') {
    buf_char(buf, ' ');
    return 1;
  }
  if (code == UTF8_BAD || code < 0xa0) {
    buf_c(buf, "\xef\xbf\xbd");
    return 1;
  }
  buf_str(buf, (Str){line.data + begin, *at - begin});
  return unicode_width(code);
}

// The line of a span, and a caret run under what of the span is on it:
//      4 |   o[...] = x[...] + y[...]
//        |            ^~~~~~~~~~~~~~~
static void put_excerpt(const Session *session, Span span, const Style *style, Buf *buf) {
  const SourceFile *file = source_get(session, span.file);
  if (!file) return;
  LineCol at = source_line_col(file, span.begin);
  Str line = source_line(file, at.line);
  size_t from = at.column - 1, to = from + (span.end > span.begin ? span.end - span.begin : 0);
  if (to > line.len) {
    to = line.len;
    while (to > from && (line.data[to - 1] == ' ' || line.data[to - 1] == '\t')) to--;
  }
  Window window = window_of(line, from);
  if (window.begin == 0 && str_starts_with(line, STR("\xef\xbb\xbf"))) window.begin = 3;
  const char *dots = window.begin > 3 ? "..." : "";
  buf_printf(buf, "%4u | %s", at.line, dots);
  Buf under;
  buf_init(&under, buf->arena);
  buf_c(&under, *dots ? "   " : "");
  unsigned carets = 0;
  for (size_t i = window.begin; i < window.end;) {
    size_t place = i;
    unsigned width = put_char(line, &i, buf);
    if (line.data[place] == '\t') {
      if (place < to || carets == 0) buf_char(&under, '\t');
    } else if (place < from) {
      buf_pad(&under, ' ', width);
    } else if (place < to || (place == from && carets == 0)) {
      for (unsigned k = 0; k < width; k++) buf_char(&under, carets++ ? '~' : '^');
    }
  }
  if (carets == 0) buf_char(&under, '^');
  buf_c(buf, window.end < line.len ? "...\n" : "\n");
  for (unsigned number = at.line; number >= 10000; number /= 10) buf_char(buf, ' ');
  Str run = buf_view(&under);
  buf_printf(buf, "     | %s%.*s%s\n", style->caret, STR_FMT(run), style->off);
}

static void put_option(const Diag *diag, Buf *buf) {
  if (diag->group == WARN_COUNT) return;
  buf_printf(buf, diag->severity == SEV_ERROR ? " [-Werror=%s]" : " [-W%s]",
             warnings[diag->group].name);
}

static void put_frames(const Session *session, const Diag *diag, const Style *style, Buf *buf) {
  for (size_t i = 0; i < diag->frame_count; i++) {
    if (diag->frame_count > SHOWN_FRAMES && i == FIRST_FRAMES) {
      size_t last = SHOWN_FRAMES - FIRST_FRAMES;
      buf_printf(buf, "... and %zu more calls\n", diag->frame_count - last - i);
      i = diag->frame_count - last;
    }
    const DiagFrame *frame = &diag->frames[i];
    put_place(session, frame->call, buf);
    buf_printf(buf, "%snote:%s in call to '%.*s'\n", style->severity[SEV_NOTE], style->off,
               STR_FMT(frame->name));
  }
}

static bool has_span(const Diag *diag, Span span) {
  return diag && diag->span.file == span.file && diag->span.begin == span.begin &&
         diag->span.end == span.end;
}

// A note at the place of what it belongs to, or of the note before it, does not show the line
// again.
static bool shows_line(const Diag *diag, const Diag *parent, const Diag *before) {
  return !has_span(parent, diag->span) && !has_span(before, diag->span);
}

static void put_human(const Session *session, const Diag *diag, const Diag *parent,
                      const Diag *before, const Style *style, Buf *buf) {
  buf_c(buf, style->bold);
  put_place(session, diag->span, buf);
  buf_printf(buf, "%s%s:%s %s", style->severity[diag->severity], severity_names[diag->severity],
             style->off, diag->severity == SEV_NOTE ? "" : style->bold);
  buf_str(buf, diag->message);
  put_option(diag, buf);
  buf_printf(buf, "%s\n", style->off);
  if (shows_line(diag, parent, before)) put_excerpt(session, diag->span, style, buf);
  for (const Diag *note = diag->notes, *last = NULL; note; last = note, note = note->next)
    put_human(session, note, diag, last, style, buf);
  if (diag->help.len)
    buf_printf(buf, "     = %shelp:%s %.*s\n", style->bold, style->off, STR_FMT(diag->help));
  put_frames(session, diag, style, buf);
}

// ---- JSON --------------------------------------------------------------------------------------
static void put_json(const Session *session, const Diag *diag, Buf *buf) {
  buf_printf(buf, "{\"severity\":\"%s\",\"message\":", severity_names[diag->severity]);
  json_string(diag->message, buf);
  if (diag->group != WARN_COUNT)
    buf_printf(buf, ",\"option\":\"-W%s\"", warnings[diag->group].name);
  json_place(session, diag->span, true, buf);
  if (diag->severity != SEV_NOTE) {
    buf_c(buf, ",\"frames\":[");
    for (size_t i = 0; i < diag->frame_count; i++) {
      buf_c(buf, i ? ",{\"name\":" : "{\"name\":");
      json_string(diag->frames[i].name, buf);
      json_place(session, diag->frames[i].call, false, buf);
      buf_char(buf, '}');
    }
    buf_c(buf, "],\"notes\":[");
    for (const Diag *note = diag->notes; note; note = note->next) {
      put_json(session, note, buf);
      if (note->next) buf_char(buf, ',');
    }
    buf_char(buf, ']');
  }
  if (diag->help.len) {
    buf_c(buf, ",\"help\":");
    json_string(diag->help, buf);
  }
  if (diag->exception != NOT_CATCHABLE) {
    buf_printf(buf, ",\"exception\":{\"type\":\"%s\",\"text\":", catchable_names[diag->exception]);
    json_string(exception_text(session, diag), buf);
    buf_char(buf, '}');
  }
  if (diag->finding.len) {
    buf_c(buf, ",\"kind\":");
    json_string(diag->finding, buf);
  }
  if (diag->data.len) {
    buf_printf(buf, ",\"%.*s\":", STR_FMT(diag->finding));
    buf_str(buf, diag->data);
  }
  buf_char(buf, '}');
}

// ---- printing ----------------------------------------------------------------------------------
static void render(const Session *session, const Diag *diag, ErrorFormat format, const Style *style,
                   Buf *buf) {
  if (format == FORMAT_JSON) {
    put_json(session, diag, buf);
    buf_char(buf, '\n');
  } else {
    put_human(session, diag, NULL, NULL, style, buf);
  }
}

Str diag_line(Session *session, const Diag *diag) {
  Buf buf;
  buf_init(&buf, session->arena);
  if (diag->span.file) put_place(session, diag->span, &buf);
  buf_str(&buf, diag->message);
  put_option(diag, &buf);
  return buf_view(&buf);
}

void diag_render(Session *session, const Diag *diag, Buf *buf) {
  render(session, diag, session->error_format, &plain, buf);
}

static bool wants_colour(const Session *session) {
  if (session->color != COLOR_AUTO) return session->color == COLOR_ALWAYS;
  const char *terminal = getenv("TERM"), *refusal = getenv("NO_COLOR"),
             *force = getenv("CLICOLOR_FORCE");
  if (refusal && *refusal) return false;
  if (force && *force && strcmp(force, "0") != 0) return true;
  if (!terminal || strcmp(terminal, "dumb") == 0) return false;
  return isatty(fileno(session->diag_out));
}

static void print(Session *session, const Diag *diag, FILE *out, ErrorFormat format) {
  Buf buf;
  buf_init(&buf, session->arena);
  render(session, diag, format, wants_colour(session) ? &coloured : &plain, &buf);
  fwrite(buf.data, 1, buf.len, out);
}

// For when there is no memory left to render with: place and message, no excerpt.
static void print_bare(const Session *session, const Diag *diag, FILE *out, ErrorFormat format) {
  const SourceFile *file = source_get(session, diag->span.file);
  LineCol at = file ? source_line_col(file, diag->span.begin) : (LineCol){0};
  if (format == FORMAT_JSON)
    fputs("{\"severity\":\"error\",\"message\":\"out of memory\"}\n", out);
  else if (file)
    fprintf(out, "%.*s:%u:%u: %s: %.*s\n", STR_FMT(file->path), at.line, at.column,
            severity_names[diag->severity], STR_FMT(diag->message));
  else
    fprintf(out, "pallasc: %s: %.*s\n", severity_names[diag->severity], STR_FMT(diag->message));
}

static void print_guarded(Session *session, const Diag *diag, FILE *out, ErrorFormat format) {
  jmp_buf here;
  jmp_buf *outer = session->oom;
  ArenaMark mark = arena_mark(session->arena);
  session->oom = &here;
  if (setjmp(here) == 0)
    print(session, diag, out, format);
  else
    print_bare(session, diag, out, format);
  session->oom = outer;
  arena_release(session->arena, mark);
}

static void print_everywhere(Session *session, const Diag *diag) {
  print_guarded(session, diag, session->diag_out, session->error_format);
  if (session->diag_json) print_guarded(session, diag, session->diag_json, FORMAT_JSON);
}

static size_t take_unprinted(Session *session, Diag **taken) {
  size_t count = 0;
  for (Diag *d = session->next_to_print; d; d = d->next) count++;
  *taken = ARENA_ARRAY(session->arena, Diag, count + 1);
  count = 0;
  for (const Diag *d = session->next_to_print; d; d = d->next) {
    (*taken)[count++] = *d;
    if (session->error_format == FORMAT_JSON) print_everywhere(session, d);
  }
  session->next_to_print = NULL;
  return count;
}

size_t diag_take(Session *session, Diag **taken) {
  size_t count = take_unprinted(session, taken);
  Diag **end = &session->first_diag, *last = NULL;
  while (*end) {
    if ((*end)->severity == SEV_ERROR) {
      *end = (*end)->next;
      continue;
    }
    last = *end;
    end = &last->next;
  }
  session->last_diag = last;
  session->error_count = session->repeat_count[SEV_ERROR] = 0;
  fflush(session->diag_out);
  return count;
}

void diag_flush(Session *session) {
  while (session->next_to_print) {
    const Diag *diag = session->next_to_print;
    session->next_to_print = diag->next;
    print_everywhere(session, diag);
  }
  if (session->unkept_count > session->unkept_reported) {
    char text[60];
    int len = snprintf(text, sizeof text, "%zu more not shown",
                       session->unkept_count - session->unkept_reported);
    Diag rest = {.severity = SEV_NOTE, .group = WARN_COUNT, .message = {text, (size_t)len}};
    print_everywhere(session, &rest);
    session->unkept_reported = session->unkept_count;
  }
  fflush(session->diag_out);
}
