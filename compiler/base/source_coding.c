// SPDX-License-Identifier: Apache-2.0
// A file's text that is not UTF-8, by the comment that says so in its first two lines.
#include <string.h>
#include "encoding.h"
#include "session.h"
#include "source.h"
#include "unicode.h"

static bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

// NAME of "coding: NAME" in a line that is a comment; empty if it is none.
static Str coding_of_line(Str line) {
  size_t at = 0;
  while (at < line.len && strchr(" \t\f", line.data[at]) && line.data[at]) at++;
  if (at == line.len || line.data[at] != '#') return STR("");
  for (; at + 7 < line.len; at++) {
    if (memcmp(line.data + at, "coding", 6) != 0) continue;
    size_t begin = at + 7;
    if (line.data[begin - 1] != ':' && line.data[begin - 1] != '=') continue;
    while (begin < line.len && (line.data[begin] == ' ' || line.data[begin] == '\t')) begin++;
    size_t end = begin;
    while (end < line.len && is_of_name(line.data[end])) end++;
    if (end > begin) return (Str){line.data + begin, end - begin};
  }
  return STR("");
}

static bool is_blank(Str line) {
  for (size_t i = 0; i < line.len; i++)
    if (!strchr(" \t\f\r", line.data[i])) return line.data[i] == '#';
  return true;
}

// As Python reads it: in the first line, or in the second if the first has no code.
static Str coding_of(Str text) {
  for (int i = 0; i < 2 && text.len; i++) {
    const char *newline = memchr(text.data, '\n', text.len);
    Str line = {text.data, newline ? (size_t)(newline - text.data) : text.len};
    Str name = coding_of_line(line);
    if (name.len || !is_blank(line) || !newline) return name;
    text = (Str){newline + 1, text.len - line.len - 1};
  }
  return STR("");
}

static Str from_latin1(Arena *arena, Str text) {
  char *out = arena_alloc(arena, text.len * 2 + 1);
  size_t len = 0;
  for (size_t i = 0; i < text.len; i++) len += utf8_encode((unsigned char)text.data[i], out + len);
  out[len] = '\0';
  return (Str){out, len};
}

// Behind these names an editor may say more: utf-8-unix.
static const Encoding *encoding_of_comment(Str name) {
  static const char *const heads[] = {"utf-8", "latin-1", "iso-8859-1", "iso-latin-1"};
  for (size_t i = 0; i < COUNT_OF(heads); i++) {
    Str head = {name.data, strlen(heads[i])};
    if (name.len <= head.len || (name.data[head.len] != '-' && name.data[head.len] != '_'))
      continue;
    if (encoding_from_name(head) == encoding_from_name(str_from_c(heads[i])))
      return encoding_from_name(head);
  }
  return encoding_from_name(name);
}

// Encodings of Python's that are not read here, and in which ASCII is what it is in UTF-8; a name
// begins with one of these words.
static bool is_like_ascii(Str name) {
  static const char *const families[] = {
      "iso-8859-", "iso8859-", "cp125",     "cp437",       "cp85",   "cp86", "cp932",
      "cp949",     "cp950",    "koi8-",     "mac-",        "euc-",   "gbk",  "gb2312",
      "gb18030",   "big5",     "shift-jis", "windows-125", "tis-620"};
  char plain[16];
  size_t len = name.len < sizeof plain ? name.len : sizeof plain;
  for (size_t i = 0; i < len; i++) {
    char c = name.data[i];
    plain[i] = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
  }
  for (size_t i = 0; i < COUNT_OF(families); i++)
    if (str_starts_with((Str){plain, len}, str_from_c(families[i]))) return true;
  return false;
}

static bool is_ascii(Str text) {
  for (size_t i = 0; i < text.len; i++)
    if ((unsigned char)text.data[i] >= 0x80) return false;
  return true;
}

Str source_decode(Arena *arena, Str text, Str *unknown) {
  Str name = coding_of(text);
  const Encoding *encoding = encoding_of_comment(name);
  // No comment could be found in a wide one.
  bool is_read = encoding && encoding->unit < 2 && !encoding->high;
  *unknown = is_read || (is_like_ascii(name) && is_ascii(text)) ? STR("") : name;
  return is_read && encoding->limit == 256 ? from_latin1(arena, text) : text;
}
