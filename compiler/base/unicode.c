// SPDX-License-Identifier: Apache-2.0
// UTF-8, and the properties of code points, which libunistring knows.
#include "unicode.h"
#include <unictype.h>
#include <uniwidth.h>

uint32_t utf8_decode(Str text, size_t *at) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *p = (const unsigned char *)text.data + *at;
  size_t left = text.len - *at;
  (*at)++;
  if (p[0] < 0x80) return p[0];
  unsigned len = p[0] >= 0xf8 ? 0 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc0 ? 2 : 0;
  if (len == 0 || len > left) return UTF8_BAD;
  uint32_t code = p[0] & (0x7fu >> len);
  for (unsigned i = 1; i < len; i++) {
    if ((p[i] & 0xc0) != 0x80) return UTF8_BAD;
    code = code << 6 | (p[i] & 0x3fu);
  }
  if (code < least[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return UTF8_BAD;
  *at += len - 1;
  return code;
}

size_t utf8_encode(uint32_t code, char out[4]) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = len - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  out[0] = (char)(lead[len] | code);
  return len;
}

bool unicode_is_id_start(uint32_t code) {
  if (code < 0x80) return ascii_is_letter(code) || code == '_';
  return uc_is_property_xid_start(code);
}

bool unicode_is_id_continue(uint32_t code) {
  if (code < 0x80) return unicode_is_id_start(code) || (code >= '0' && code <= '9');
  return uc_is_property_xid_continue(code);
}

bool unicode_is_printable(uint32_t code) {
  if (code < 0x80) return code >= ' ' && code < 0x7f;
  return !uc_is_general_category_withtable(code, UC_CATEGORY_MASK_C | UC_CATEGORY_MASK_Z);
}

unsigned unicode_width(uint32_t code) {
  int width = code < 0x80 ? 1 : uc_width(code, "UTF-8");
  return width < 0 ? 1 : (unsigned)width; // of controls
}

bool unicode_is_identifier(Str text) {
  for (size_t at = 0; at < text.len;) {
    bool is_first = at == 0;
    uint32_t code = utf8_decode(text, &at);
    if (is_first ? !unicode_is_id_start(code) : !unicode_is_id_continue(code)) return false;
  }
  return text.len > 0;
}
