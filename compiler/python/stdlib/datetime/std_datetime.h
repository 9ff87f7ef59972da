// SPDX-License-Identifier: Apache-2.0
// The module _datetime: lengths of time, days and moments, for datetime.pk, which has zones, times
// of a day and what is seldom used (std_datetime.c, datetime_delta.c, datetime_text.c).
#pragma once
#include "python/values/builtin_state.h"
#include "python/values/values.h"

enum {
  SECONDS_A_DAY = 86400,
  MICROS_A_SECOND = 1000000,
  MOST_DELTA_DAYS = 999999999,
  LAST_ORDINAL = 3652059, // 9999-12-31; 0001-01-01 is 1
};

typedef struct Delta {
  Object base;
  int32_t days, seconds, micros; // the latter two not negative, within a day and a second
} Delta;

typedef struct Moment { // a date, or a datetime
  Object base;
  int32_t year, micro;
  uint8_t month, day, hour, minute, second, fold;
  int64_t key; // in the order of time, of those of one zone
  Value zone;  // None: a local time; of dates, too
} Moment;

typedef struct DatetimeTypes {
  Type *delta, *date, *datetime;
  Value zone_class; // datetime.tzinfo
} DatetimeTypes;
static inline DatetimeTypes *datetime_types(const Eval *ev) { return ev->builtin->datetime; }

static inline Value ordered(CompareOp op, int64_t a, int64_t b) {
  switch (op) {
  case CMP_EQ: return v_bool(a == b);
  case CMP_NE: return v_bool(a != b);
  case CMP_LT: return v_bool(a < b);
  case CMP_LE: return v_bool(a <= b);
  case CMP_GT: return v_bool(a > b);
  case CMP_GE: return v_bool(a >= b);
  default: return v_not_implemented();
  }
}

static inline Delta *value_as_delta(const Eval *ev, Value v) { // or NULL
  v = value_unwrap(v);
  return v.kind == V_OBJECT && v.o->type == datetime_types(ev)->delta ? (Delta *)v.o : NULL;
}
static inline Moment *value_as_datetime(const Eval *ev, Value v) { // or NULL
  v = value_unwrap(v);
  return v.kind == V_OBJECT && v.o->type == datetime_types(ev)->datetime ? (Moment *)v.o : NULL;
}
static inline Moment *value_as_date(const Eval *ev, Value v) { // a date or a datetime; or NULL
  v = value_unwrap(v);
  const DatetimeTypes *types = datetime_types(ev);
  return v.kind == V_OBJECT && (v.o->type == types->date || v.o->type == types->datetime)
             ? (Moment *)v.o
             : NULL;
}

// ---- datetime_delta.c ---------------------------------------------------------------------------
void datetime_delta_init(Eval *ev);
// Of parts of any size; OverflowError.
Value make_delta(Eval *ev, int64_t days, int64_t seconds, int64_t micros);
static inline __int128 delta_total(const Delta *d) { // in microseconds
  return ((__int128)d->days * SECONDS_A_DAY + d->seconds) * MICROS_A_SECOND + d->micros;
}

// ---- datetime_text.c ----------------------------------------------------------------------------
Value date_isoformat(Eval *ev, Value *a);
Value date_strftime(Eval *ev, Value *a);
Value datetime_isoformat(Eval *ev, Value *a); // self, sep, timespec
Value date_from_iso(Eval *ev, Value *a);      // cls, text
Value datetime_from_iso(Eval *ev, Value *a);

// ---- std_datetime.c -----------------------------------------------------------------------------
int64_t ordinal_of(int32_t year, int32_t month, int32_t day);
// What a zone says of a moment: false: nothing. `offset` in microseconds.
bool zone_offset(Eval *ev, Value zone, Value moment, int64_t *offset);
Value date_new(Eval *ev, Value *a);     // cls, year, month, day
Value datetime_new(Eval *ev, Value *a); // …, hour, minute, second, microsecond, tzinfo, fold
