// SPDX-License-Identifier: Apache-2.0
// Encodings by their names.
#include "encoding.h"

enum { HIGH_COUNT = 0x20 };

static const uint16_t high_of_cp1252[HIGH_COUNT] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

static const Encoding encodings[] = {
    {"utf-8", 0, 0x110000, NULL, false, false, "|utf8|u8|utf|cp65001|"},
    {"utf-8-sig", 0, 0x110000, NULL, false, true, "|utf-8-sig|utf8-sig|"},
    {"ascii", 1, 128, NULL, false, false, "|us-ascii|646|"},
    {"latin-1", 1, 256, NULL, false, false,
     "|latin1|iso-8859-1|iso-latin-1|iso8859-1|8859|cp819|l1|latin|"},
    {"charmap", 1, 256, high_of_cp1252, false, false, "|cp1252|windows-1252|1252|"},
    {"utf-16", 2, 0x110000, NULL, false, true, "|utf16|u16|"},
    {"utf-16-le", 2, 0x110000, NULL, false, false, "|utf-16le|utf16-le|utf16le|"},
    {"utf-16-be", 2, 0x110000, NULL, true, false, "|utf-16be|utf16-be|utf16be|"},
    {"utf-32", 4, 0x110000, NULL, false, true, "|utf32|u32|"},
    {"utf-32-le", 4, 0x110000, NULL, false, false, "|utf-32le|utf32-le|utf32le|"},
    {"utf-32-be", 4, 0x110000, NULL, true, false, "|utf-32be|utf32-be|utf32be|"},
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
  if (!encoding->high && is_word(name, encoding->name)) return true;
  for (const char *at = encoding->aliases; *at; at++)
    if (at[0] == '|' && at[1] && is_word(name, at + 1)) return true;
  return false;
}

const Encoding *encoding_from_name(Str name) {
  for (size_t i = 0; name.len && i < COUNT_OF(encodings); i++)
    if (has_name(&encodings[i], name)) return &encodings[i];
  return NULL;
}

uint32_t encoding_of_byte(const Encoding *encoding, unsigned char byte) {
  return encoding->high && byte >= 0x80 && byte < 0x80 + HIGH_COUNT ? encoding->high[byte - 0x80]
                                                                    : byte;
}

int encoding_to_byte(const Encoding *encoding, uint32_t code) {
  if (code >= encoding->limit && !encoding->high) return -1;
  if (!encoding->high || code < 0x80 || (code >= 0x80 + HIGH_COUNT && code < encoding->limit))
    return (int)code;
  for (int i = 0; i < HIGH_COUNT; i++)
    if (encoding->high[i] == code) return 0x80 + i;
  return -1;
}
