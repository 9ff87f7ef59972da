// SPDX-License-Identifier: Apache-2.0
// Days and moments as text: isoformat, strftime, and back from the commonest forms of ISO 8601.
#include <string.h>
#include <time.h>
#include "base/buf.h"
#include "python/builtins/text/builtin_text.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "std_datetime.h"

// ---- ISO 8601 -----------------------------------------------------------------------------------
static void put_day(Buf *out, const Moment *m) {
  buf_printf(out, "%04d-%02d-%02d", m->year, m->month, m->day);
}

static void put_offset(Buf *out, int64_t offset, const char *separator) {
  buf_char(out, offset < 0 ? '-' : '+');
  if (offset < 0) offset = -offset;
  int64_t micro = offset % MICROS_A_SECOND, seconds = offset / MICROS_A_SECOND;
  buf_printf(out, "%02d%s%02d", (int)(seconds / 3600), separator, (int)(seconds / 60 % 60));
  if (seconds % 60 || micro) buf_printf(out, "%s%02d", separator, (int)(seconds % 60));
  if (micro) buf_printf(out, ".%06d", (int)micro);
}

Value date_isoformat(Eval *ev, Value *a) {
  Buf out;
  buf_init(&out, ev->arena);
  put_day(&out, value_as_date(ev, a[0]));
  return make_str(ev, buf_view(&out));
}

static void put_time(Eval *ev, Buf *out, const Moment *m, Str spec) {
  bool is_auto = str_is(spec, "auto");
  if (str_is(spec, "hours")) {
    buf_printf(out, "%02d", m->hour);
  } else if (str_is(spec, "minutes")) {
    buf_printf(out, "%02d:%02d", m->hour, m->minute);
  } else if (str_is(spec, "seconds") || (is_auto && !m->micro)) {
    buf_printf(out, "%02d:%02d:%02d", m->hour, m->minute, m->second);
  } else if (str_is(spec, "milliseconds")) {
    buf_printf(out, "%02d:%02d:%02d.%03d", m->hour, m->minute, m->second, m->micro / 1000);
  } else if (str_is(spec, "microseconds") || is_auto) {
    buf_printf(out, "%02d:%02d:%02d.%06d", m->hour, m->minute, m->second, m->micro);
  } else {
    eval_raise(ev, ev->types.ValueError, "Unknown timespec value");
  }
}

Value datetime_isoformat(Eval *ev, Value *a) {
  const Moment *m = value_as_datetime(ev, a[0]);
  Str sep, spec;
  size_t at = 0;
  if (!value_as_str(a[1], &sep) || !sep.len || (text_next(sep, &at), at != sep.len))
    eval_raise(ev, ev->types.TypeError,
               "isoformat() argument 1 must be a unicode character, not %s",
               value_type_name(ev, a[1]));
  if (!value_as_str(a[2], &spec))
    eval_raise(ev, ev->types.TypeError, "isoformat() argument 2 must be str, not %s",
               value_type_name(ev, a[2]));
  Buf out;
  buf_init(&out, ev->arena);
  put_day(&out, m);
  buf_str(&out, sep);
  put_time(ev, &out, m, spec);
  int64_t offset;
  if (zone_offset(ev, m->zone, a[0], &offset)) put_offset(&out, offset, ":");
  return make_str(ev, buf_view(&out));
}

// `count` digits; -1: there is something else.
static int32_t digits_at(Str text, size_t at, size_t count) {
  int32_t number = 0;
  if (at + count > text.len) return -1;
  for (size_t i = at; i < at + count; i++) {
    if (text.data[i] < '0' || text.data[i] > '9') return -1;
    number = number * 10 + (text.data[i] - '0');
  }
  return number;
}

// Of YYYY-MM-DD, as it is written there.
static bool read_day(Str text, Value *parts) {
  if (text.len < 10 || text.data[4] != '-' || text.data[7] != '-') return false;
  int32_t year = digits_at(text, 0, 4), month = digits_at(text, 5, 2), day = digits_at(text, 8, 2);
  parts[0] = v_int(year);
  parts[1] = v_int(month);
  parts[2] = v_int(day);
  return year >= 0 && month >= 0 && day >= 0;
}

// Of HH:MM[:SS[.ffffff]] without a zone.
static bool read_clock(Str text, Value *parts) {
  int32_t hour = digits_at(text, 11, 2), minute = digits_at(text, 14, 2), second = 0, micro = 0;
  if (hour < 0 || minute < 0 || text.data[13] != ':') return false;
  if (text.len > 16) {
    second = text.data[16] == ':' ? digits_at(text, 17, 2) : -1;
    if (second < 0) return false;
  }
  if (text.len > 19) {
    micro = text.data[19] == '.' && text.len == 26 ? digits_at(text, 20, 6) : -1;
    if (micro < 0) return false;
  }
  parts[0] = v_int(hour);
  parts[1] = v_int(minute);
  parts[2] = v_int(second);
  parts[3] = v_int(micro);
  return true;
}

static Str take_iso(Eval *ev, Value v) {
  Str text;
  if (!value_as_str(v, &text))
    eval_raise(ev, ev->types.TypeError, "fromisoformat: argument must be str");
  return text;
}

// All other forms are read by datetime.pk.
Value date_from_iso(Eval *ev, Value *a) {
  Value parts[4] = {a[0]};
  Str text = take_iso(ev, a[1]);
  if (text.len != 10 || !read_day(text, parts + 1))
    return value_call_method(ev, a[0], "_from_iso", 1, &a[1]);
  if (a[0].o == (Object *)datetime_types(ev)->date) return date_new(ev, parts);
  return value_call_n(ev, a[0], 3, parts + 1);
}

Value datetime_from_iso(Eval *ev, Value *a) {
  Value parts[] = {a[0],     v_int(0), v_int(0), v_int(0), v_int(0),
                   v_int(0), v_int(0), v_int(0), v_none(), v_int(0)};
  Str text = take_iso(ev, a[1]);
  bool has_day = read_day(text, parts + 1);
  bool is_usual = has_day && (text.len == 10 ||
                              ((signed char)text.data[10] > 0 && read_clock(text, parts + 4)));
  if (!is_usual) return value_call_method(ev, a[0], "_from_iso", 1, &a[1]);
  if (a[0].o == (Object *)datetime_types(ev)->datetime) return datetime_new(ev, parts);
  return value_call_n(ev, a[0], 7, parts + 1);
}

// ---- strftime -----------------------------------------------------------------------------------
static void put_percents_doubled(Buf *out, Str text) {
  for (size_t i = 0; i < text.len; i++) {
    if (text.data[i] == '%') buf_char(out, '%');
    buf_char(out, text.data[i]);
  }
}

// The directives that the C library does not know of us: %f, %z, %Z.
static bool put_own(Eval *ev, Buf *out, char directive, Value self, const Moment *m) {
  int64_t offset;
  Str name;
  switch (directive) {
  case 'f': buf_printf(out, "%06d", m->micro); return true;
  case 'z':
    if (zone_offset(ev, m->zone, self, &offset)) put_offset(out, offset, "");
    return true;
  case 'Z':
    if (!v_is_none(m->zone) && value_as_str(value_call_method(ev, self, "tzname", 0, NULL), &name))
      put_percents_doubled(out, name);
    return true;
  default: return false;
  }
}

Value date_strftime(Eval *ev, Value *a) {
  const Moment *m = value_as_date(ev, a[0]);
  Str format;
  if (!value_as_str(a[1], &format))
    eval_raise(ev, ev->types.TypeError, "strftime() argument 1 must be str, not %s",
               value_type_name(ev, a[1]));
  Buf left, out; // the format without our own directives
  buf_init(&left, ev->arena);
  buf_init(&out, ev->arena);
  for (size_t i = 0; i < format.len; i++) {
    if (format.data[i] != '%' || i + 1 == format.len) {
      buf_char(&left, format.data[i]);
    } else if (put_own(ev, &left, format.data[i + 1], a[0], m)) {
      i++;
    } else {
      buf_str(&left, (Str){format.data + i, 2});
      i++;
    }
  }
  buf_char(&left, '.'); // so that the result is not empty
  int64_t ordinal = ordinal_of(m->year, m->month, m->day);
  struct tm tm = {.tm_year = m->year - 1900,
                  .tm_mon = m->month - 1,
                  .tm_mday = m->day,
                  .tm_hour = m->hour,
                  .tm_min = m->minute,
                  .tm_sec = m->second,
                  .tm_wday = (int)(ordinal % 7),
                  .tm_yday = (int)(ordinal - ordinal_of(m->year, 1, 1)),
                  .tm_isdst = -1};
  for (size_t room = left.len + 256;; room *= 2) {
    char *text = arena_alloc(ev->arena, room);
    size_t size = strftime(text, room, buf_view(&left).data, &tm);
    if (size) return make_str(ev, (Str){text, size - 1});
    if (room > left.len * 1024 + (1 << 20))
      eval_raise(ev, ev->types.MemoryError, "strftime: the text is too long");
  }
}
