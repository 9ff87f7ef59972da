// SPDX-License-Identifier: Apache-2.0
// Encodings by their names.
#include "encoding.h"

static const Encoding encodings[] = {
    {"utf-8", 0, 0x110000, false, false, "|utf8|u8|utf|cp65001|"},
    {"utf-8-sig", 0, 0x110000, false, true, "|utf-8-sig|utf8-sig|"},
    {"ascii", 1, 128, false, false, "|us-ascii|646|"},
    {"latin-1", 1, 256, false, false, "|latin1|iso-8859-1|iso-latin-1|iso8859-1|8859|cp819|l1|latin|"},
    {"utf-16", 2, 0x110000, false, true, "|utf16|u16|"},
    {"utf-16-le", 2, 0x110000, false, false, "|utf-16le|utf16-le|utf16le|"},
    {"utf-16-be", 2, 0x110000, true, false, "|utf-16be|utf16-be|utf16be|"},
    {"utf-32", 4, 0x110000, false, true, "|utf32|u32|"},
    {"utf-32-le", 4, 0x110000, false, false, "|utf-32le|utf32-le|utf32le|"},
    {"utf-32-be", 4, 0x110000, true, false, "|utf-32be|utf32-be|utf32be|"},
};

static char plain(char c) {
  return c == '_' || c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

// Whether it is the word that begins there and ends with the text or a '|'.
static bool is_word(Str name, const char *word) {
  size_t i = 0;
  while (i < name.len && word[i] && word[i] != '|' && plain(name.data[i]) == word[i]) i++;
  return i == name.len && (word[i] == '\0' || word[i] == '|');
}

static bool has_name(const Encoding *encoding, Str name) {
  if (is_word(name, encoding->name)) return true;
  for (const char *at = encoding->aliases; *at; at++)
    if (at[0] == '|' && at[1] && is_word(name, at + 1)) return true;
  return false;
}

const Encoding *encoding_from_name(Str name) {
  for (size_t i = 0; name.len && i < COUNT_OF(encodings); i++)
    if (has_name(&encodings[i], name)) return &encodings[i];
  return NULL;
}
