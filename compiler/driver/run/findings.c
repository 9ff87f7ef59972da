// SPDX-License-Identifier: Apache-2.0
// What checks find, as diagnostics. In: findings of the runtime, of calls that are made again and
// again. Out: each once, with its places; or, while a schedule is only tried, which one comes
// first.
#include "base/buf.h"
#include "base/map.h"
#include "findings.h"
#include <string.h>
#include "prt.h"
#include "prt_codegen.h"

static Span site_span(const Session *session, const prt_site *site) {
  if (site->line <= 0 || !site->file) return (Span){0};
  for (size_t i = 0; i < session->files.count; i++) {
    const SourceFile *file = session->files.items[i];
    if (!str_equal(file->path, str_from_c(site->file)) ||
        (size_t)site->line > file->line_starts.count)
      continue;
    uint32_t start = file->line_starts.items[site->line - 1];
    uint32_t begin = start + (uint32_t)(site->column > 0 ? site->column - 1 : 0);
    uint32_t end =
        start + (uint32_t)(site->end_column > site->column ? site->end_column - 1 : site->column);
    if (end > file->text.len) end = (uint32_t)file->text.len;
    return (Span){file->id, begin < end ? begin : end, end};
  }
  return (Span){0};
}

static void note_step(Session *session, Diag *diag, const prt_finding *finding) {
  if (!finding->launch || finding->grid_rank == 0) return;
  Buf buf;
  buf_init(&buf, session->arena);
  for (int32_t i = 0; i < finding->grid_rank; i++) {
    const char *name = finding->grid_names ? finding->grid_names[i] : NULL;
    buf_printf(&buf, "%s%s%s%lld", i ? ", " : "", name ? name : "", name ? " = " : "",
               (long long)finding->grid[i]);
  }
  diag_note(session, diag, site_span(session, finding->site), "in grid step (%s) of '%s'",
            buf.len ? buf_view(&buf).data : "", finding->launch);
}

static Str place_text(const Findings *f, const prt_site *site) {
  return str_format(f->session->arena, "%s:%d:%d", site->file ? site->file : "", site->line,
                    site->column);
}

static bool is_place(const prt_site *a, const prt_site *b) {
  return a->line == b->line && a->column == b->column && a->file && b->file &&
         strcmp(a->file, b->file) == 0;
}

// Where a finding is: what stands in two places is known by both of them, whichever comes first.
static Str places_text(const Findings *f, const prt_finding *finding) {
  Str a = place_text(f, finding->site);
  if (!finding->note_count) return a;
  Str b = place_text(f, finding->notes[0].site);
  bool in_order = strcmp(a.data, b.data) <= 0;
  return str_format(f->session->arena, "%s %s", in_order ? a.data : b.data,
                    in_order ? b.data : a.data);
}

// What it says. What else an element is used for is no news, nor that it is found in another
// schedule with other numbers.
static Str message_text(const Findings *f, const char *message, bool numbers) {
  Buf buf;
  buf_init(&buf, f->session->arena);
  const char *use = strstr(message, "; ");
  for (const char *at = message; *at && at != use; at++) {
    bool is_digit = *at >= '0' && *at <= '9';
    if (numbers || !is_digit)
      buf_char(&buf, *at);
    else if (at == message || at[-1] < '0' || at[-1] > '9')
      buf_char(&buf, '#');
  }
  return buf_view(&buf);
}

static Name key_of(const Findings *f, const prt_finding *finding, bool numbers) {
  Str places = places_text(f, finding);
  // Of a race in one place it does not matter which of the two came first.
  bool has_other = finding->note_count && (!is_place(finding->notes[0].site, finding->site) ||
                                           finding->kind == PRT_FINDING_RACE);
  if (has_other) return name_intern(f->session->interner, places);
  Str message = message_text(f, finding->message, numbers);
  return name_intern(f->session->interner,
                     str_format(f->session->arena, "%.*s:%.*s", STR_FMT(places), STR_FMT(message)));
}

// A kernel that is called again finds the same things again.
static bool is_news(Findings *f, const prt_finding *finding) {
  Name key = key_of(f, finding, true), bare = key_of(f, finding, false);
  bool is_new = !map_has(f->known, f->mode == FINDINGS_REPORTED ? key : bare);
  if (is_new && !f->first) f->first = bare;
  if (f->mode == FINDINGS_TRIED) return is_new;
  map_set(f->known, key, f);
  map_set(f->known, bare, f);
  return is_new;
}

void findings_init(Findings *f, Session *session) {
  *f = (Findings){.session = session, .known = map_new(session->arena)};
}

void findings_forget(Findings *f) { f->known = map_new(f->session->arena); }

void findings_note_schedule(const Findings *f, Diag *diag) {
  Session *session = f->session;
  if (f->fault)
    diag_note(session, diag, site_span(session, f->fault), "the signal that was %s", f->fault_how);
  if (f->repeat.len)
    diag_note(session, diag, (Span){0}, "'--schedule=%.*s' repeats this run", STR_FMT(f->repeat));
}

static void add_frames(Session *session, Diag *diag, const prt_site *innermost) {
  size_t count = 0, i = 0;
  for (const prt_site *site = innermost; site->caller; site = site->caller) count++;
  DiagFrame *frames = ARENA_ARRAY(session->arena, DiagFrame, count + 1);
  for (const prt_site *site = innermost; site->caller; site = site->caller)
    frames[i++] = (DiagFrame){
        str_format(session->arena, "%s", site->function ? site->function : "?"),
        site_span(session, site->caller), IN_FUNCTION}; // the code's own text may go first
  diag_frames(session, diag, frames, count);
}

// The message begins with the place, which is the diagnostic's own.
Diag *findings_report_failure(Session *session, Span place) {
  const prt_site *site = prt__error_site();
  const char *message = prt_error_message();
  if (!site) return diag_error(session, place, "%s", message);
  Str begin = str_format(session->arena, "%s:%d: ", site->file ? site->file : "?", site->line);
  const char *found = strstr(message, begin.data);
  Diag *diag =
      diag_error(session, site_span(session, site), "%s", found ? found + begin.len : message);
  add_frames(session, diag, site);
  return diag;
}

Diag *findings_report(Session *session, const prt_finding *finding) {
  Diag *diag = diag_error(session, site_span(session, finding->site), "%s", finding->message);
  add_frames(session, diag, finding->site);
  note_step(session, diag, finding);
  for (int32_t n = 0; n < finding->note_count; n++)
    diag_note(session, diag, site_span(session, finding->notes[n].site), "%s",
              finding->notes[n].message);
  if (diag) diag->finding = str_from_c(prt_finding_kind_name(finding->kind));
  if (diag && finding->data) diag->data = str_format(session->arena, "%s", finding->data);
  if (finding->help) diag_help(diag, str_format(session->arena, "%s", finding->help));
  return diag;
}

void findings_take(Findings *f, const prt_finding *finding) {
  if (is_news(f, finding) && f->mode != FINDINGS_TRIED)
    findings_note_schedule(f, findings_report(f->session, finding));
}
