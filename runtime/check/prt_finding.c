// SPDX-License-Identifier: Apache-2.0
// Findings as text, for people and as JSON. In: a finding, as on_finding is given it.
#include <stdlib.h>
#include <string.h>
#include "prt_finding.h"

const char *prt_finding_kind_name(int32_t kind) {
  static const char *const names[] = {
#define PRT_FINDING(id, number, name, text) [number] = name,
#include "prt_finding.def"
#undef PRT_FINDING
  };
  bool is_known = kind >= 0 && kind < (int32_t)(sizeof names / sizeof names[0]);
  return is_known ? names[kind] : names[PRT_FINDING_CHECK];
}

// As snprintf: what fits, a NUL, and the length of all of it.
static size_t give(prt_text *text, char *out, size_t capacity) {
  size_t length = text->length;
  if (capacity) {
    size_t fits = length < capacity ? length : capacity - 1;
    if (fits) memcpy(out, text->data, fits);
    out[fits] = 0;
  }
  prt__text_free(text);
  return length;
}

// ---- for people ---------------------------------------------------------------------------------
static void put_place(prt_text *out, const prt_site *site) {
  if (site->line > 0)
    prt__text_printf(out, "%s:%d:%d: ", site->file ? site->file : "?", site->line, site->column);
}

// The line of a site and a caret run under it.
static void put_excerpt(prt_text *out, const prt_site *site) {
  if (!site->source || site->line <= 0) return;
  prt__text_printf(out, "%4d | %s\n", site->line, site->source);
  for (int32_t number = site->line; number >= 10000; number /= 10) prt__text_c(out, " ");
  prt__text_c(out, "     | ");
  int32_t length = (int32_t)strlen(site->source);
  for (int32_t i = 1; i < site->column && i <= length; i++)
    prt__text_c(out, site->source[i - 1] == '\t' ? "\t" : " ");
  prt__text_c(out, "^");
  int32_t end = site->end_column <= length + 1 ? site->end_column : length + 1;
  prt__text_pad(out, '~', end - site->column - 1);
  prt__text_c(out, "\n");
}

static void put_step(prt_text *out, const prt_finding *finding) {
  if (!finding->launch || finding->grid_rank == 0) return;
  prt__text_c(out, "note: in grid step (");
  prt__text_indices(out, finding->grid_rank, finding->grid_names, finding->grid);
  prt__text_printf(out, ") of '%s'\n", finding->launch);
}

void prt__finding_text(prt_text *text, const prt_finding *finding) {
  put_place(text, finding->site);
  prt__text_printf(text, "error: %s\n", finding->message);
  put_excerpt(text, finding->site);
  for (const prt_site *site = finding->site; site->caller; site = site->caller) {
    put_place(text, site->caller);
    prt__text_printf(text, "note: in call to '%s'\n", site->function ? site->function : "?");
  }
  put_step(text, finding);
  for (int32_t i = 0; i < finding->note_count; i++) {
    const prt_finding_note *note = &finding->notes[i];
    put_place(text, note->site);
    prt__text_printf(text, "note: %s\n", note->message);
    bool is_shown = prt__is_place(note->site, finding->site) ||
                    (i && prt__is_place(note->site, finding->notes[i - 1].site));
    if (!is_shown) put_excerpt(text, note->site);
  }
  if (finding->help) prt__text_printf(text, "     = help: %s\n", finding->help);
}

size_t prt_finding_text(const prt_finding *finding, char *out, size_t capacity) {
  prt_text text = {0};
  prt__finding_text(&text, finding);
  return give(&text, out, capacity);
}

// ---- JSON ---------------------------------------------------------------------------------------
void prt__json_string(prt_text *out, const char *s) {
  prt__text_c(out, "\"");
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      prt__text_printf(out, "\\%c", c);
    else if (c < 0x20 || c == 0x7f)
      prt__text_printf(out, "\\u%04x", c);
    else
      prt__text_add(out, s, 1);
  }
  prt__text_c(out, "\"");
}

void prt__json_field(prt_text *out, const char *name, const char *value) {
  prt__text_printf(out, ",\"%s\":", name);
  prt__json_string(out, value);
}

void prt__json_place(prt_text *out, const prt_site *site) {
  prt__json_field(out, "file", site->file ? site->file : "");
  prt__text_printf(out, ",\"line\":%d,\"column\":%d,\"end_column\":%d", site->line, site->column,
                   site->end_column);
}

static void put_site(prt_text *out, const prt_site *site) {
  if (!site || site->line <= 0) return;
  prt__json_place(out, site);
  if (site->source) prt__json_field(out, "source", site->source);
}

static void put_grid(prt_text *out, const prt_finding *finding) {
  if (!finding->launch) return;
  prt__json_field(out, "launch", finding->launch);
  prt__text_c(out, ",\"grid\":[");
  for (int32_t i = 0; i < finding->grid_rank; i++)
    prt__text_printf(out, "%s%lld", i ? "," : "", (long long)finding->grid[i]);
  prt__text_c(out, "]");
}

size_t prt_finding_json(const prt_finding *finding, char *out, size_t capacity) {
  prt_text text = {0};
  prt__text_c(&text, "{\"severity\":\"error\"");
  prt__json_field(&text, "kind", prt_finding_kind_name(finding->kind));
  prt__json_field(&text, "message", finding->message);
  put_site(&text, finding->site);
  put_grid(&text, finding);
  if (finding->is_result) prt__text_c(&text, ",\"result\":true");
  prt__text_c(&text, ",\"frames\":[");
  for (const prt_site *site = finding->site; site && site->caller; site = site->caller) {
    prt__text_c(&text, site == finding->site ? "{\"name\":" : ",{\"name\":");
    prt__json_string(&text, site->function ? site->function : "?");
    put_site(&text, site->caller);
    prt__text_c(&text, "}");
  }
  prt__text_c(&text, "],\"notes\":[");
  for (int32_t i = 0; i < finding->note_count; i++) {
    prt__text_c(&text, i ? ",{\"message\":" : "{\"message\":");
    prt__json_string(&text, finding->notes[i].message);
    put_site(&text, finding->notes[i].site);
    prt__text_c(&text, "}");
  }
  prt__text_c(&text, "]");
  if (finding->help) prt__json_field(&text, "help", finding->help);
  if (finding->data) prt__text_printf(&text, ",\"race\":%s", finding->data);
  prt__text_c(&text, "}");
  return give(&text, out, capacity);
}
