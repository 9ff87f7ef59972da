// SPDX-License-Identifier: Apache-2.0
// The encodings between bytes and characters that programs name (encoding.c).
#pragma once
#include "base.h"

// How characters lie in bytes: `unit` bytes each (UTF-8: 0), those below `limit` for themselves.
typedef struct Encoding {
  const char *name; // as messages have it
  unsigned unit;
  uint32_t limit;
  const uint16_t *high; // what its bytes 0x80 to 0x9f are, 0 nothing; NULL: themselves
  bool is_big;
  bool has_mark; // written in front of a text, looked for in front of bytes; the encodings without
                 // one, of the lower byte first and of the upper one, stand behind it
  const char *aliases;
} Encoding;

// By its name or another one, as Python compares them; NULL: there is none.
const Encoding *encoding_from_name(Str name);

// Of an encoding of one byte each: the character of a byte that is none of ASCII (0: none), and the
// byte of a character (-1: none).
uint32_t encoding_of_byte(const Encoding *encoding, unsigned char byte);
int encoding_to_byte(const Encoding *encoding, uint32_t code);
