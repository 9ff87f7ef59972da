// SPDX-License-Identifier: Apache-2.0
// The module _datetime: days and moments, date and datetime.
#include "std_datetime.h"
#include "base/buf.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_wrap.h"
#include "python/modules/module.h"
#include "python/numbers/digits.h"
#include "python/objects/attribute.h"
#include "python/objects/module_def.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/dict.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"

// ---- the calendar -------------------------------------------------------------------------------
static const int16_t days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

static bool is_leap(int32_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int32_t days_in_month(int32_t year, int32_t month) {
  return month == 2 && is_leap(year) ? 29 : days_before[month] - days_before[month - 1];
}

static int64_t days_before_year(int32_t year) {
  int64_t before = year - 1;
  return before * 365 + before / 4 - before / 100 + before / 400;
}

int64_t ordinal_of(int32_t year, int32_t month, int32_t day) {
  return days_before_year(year) + days_before[month - 1] + (month > 2 && is_leap(year)) + day;
}

static void set_ordinal(Moment *m, int32_t ordinal) {
  int32_t year = (int32_t)((int64_t)ordinal * 400 / 146097) + 1;
  while (days_before_year(year) >= ordinal) year--;
  while (days_before_year(year + 1) < ordinal) year++;
  int32_t rest = ordinal - (int32_t)days_before_year(year), month = rest / 29 + 1;
  if (month > 12) month = 12;
  while (month > 1 && days_before[month - 1] + (month > 2 && is_leap(year)) >= rest) month--;
  m->year = year;
  m->month = (uint8_t)month;
  m->day = (uint8_t)(rest - days_before[month - 1] - (month > 2 && is_leap(year)));
}

static int64_t moment_ordinal(const Moment *m) { return ordinal_of(m->year, m->month, m->day); }
static int64_t moment_seconds(const Moment *m) {
  return (m->hour * 60 + m->minute) * 60 + m->second;
}

// Microseconds since the begin of day 0, by the clock of the zone.
static int64_t moment_total(const Moment *m) {
  return (moment_ordinal(m) * SECONDS_A_DAY + moment_seconds(m)) * MICROS_A_SECOND + m->micro;
}

// The same order, of the same zone.
static int64_t key_of(const Moment *m) {
  int64_t day = ((int64_t)m->year * 16 + m->month) * 32 + m->day;
  return (((day * 32 + m->hour) * 64 + m->minute) * 64 + m->second) * (1 << 20) + m->micro;
}

static Moment *self_moment(Eval *ev, Value self) {
  Moment *m = value_as_date(ev, self);
  if (!m)
    eval_raise(ev, ev->types.TypeError,
               "descriptor requires a 'datetime.date' object but received a '%s'",
               value_type_name(ev, self));
  return m;
}

// ---- zones --------------------------------------------------------------------------------------
bool zone_offset(Eval *ev, Value zone, Value moment, int64_t *offset) {
  if (v_is_none(zone)) return false;
  Value said = value_call_method(ev, zone, "utcoffset", 1, &moment);
  if (v_is_none(said)) return false;
  const Delta *d = value_as_delta(ev, said);
  if (!d)
    eval_raise(ev, ev->types.TypeError,
               "tzinfo.utcoffset() must return None or a timedelta, not '%s'",
               value_type_name(ev, said));
  if (d->days < -1 || d->days > 0 || (d->days == -1 && !d->seconds && !d->micros))
    eval_raise(ev, ev->types.ValueError,
               "offset must be a timedelta strictly between -timedelta(hours=24) and "
               "timedelta(hours=24).");
  *offset = (int64_t)delta_total(d);
  return true;
}

// ---- making -------------------------------------------------------------------------------------
static int32_t take_part(Eval *ev, Value v, const char *name, int position) {
  if (v.kind == V_INT && v.i == (int32_t)v.i) return (int32_t)v.i;
  if (v_is_unbound(v))
    eval_raise(ev, ev->types.TypeError, "function missing required argument '%s' (pos %d)", name,
               position);
  Value index = take_index(ev, v);
  if (index.kind == V_OBJECT)
    eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C long");
  if (index.i != (int32_t)index.i)
    eval_raise(ev, ev->types.OverflowError, "signed integer is %s",
               index.i < 0 ? "less than minimum" : "greater than maximum");
  return (int32_t)index.i;
}

static void take_day(Eval *ev, Moment *m, Value year, Value month, Value day) {
  int32_t y = take_part(ev, year, "year", 1), mo = take_part(ev, month, "month", 2),
          d = take_part(ev, day, "day", 3);
  if (y < 1 || y > 9999) eval_raise(ev, ev->types.ValueError, "year %d is out of range", y);
  if (mo < 1 || mo > 12) eval_raise(ev, ev->types.ValueError, "month must be in 1..12");
  if (d < 1 || d > days_in_month(y, mo))
    eval_raise(ev, ev->types.ValueError, "day is out of range for month");
  m->year = y;
  m->month = (uint8_t)mo;
  m->day = (uint8_t)d;
}

static uint8_t take_clock(Eval *ev, Value v, int32_t most, const char *name) {
  int32_t part = take_part(ev, v, name, 0);
  if (part < 0 || part > most)
    eval_raise(ev, ev->types.ValueError, "%s must be in 0..%d", name, most);
  return (uint8_t)part;
}

// hour, minute, second, microsecond, tzinfo, fold
static void take_time(Eval *ev, Moment *m, const Value *a) {
  m->hour = take_clock(ev, a[0], 23, "hour");
  m->minute = take_clock(ev, a[1], 59, "minute");
  m->second = take_clock(ev, a[2], 59, "second");
  m->micro = take_part(ev, a[3], "microsecond", 0);
  if (m->micro < 0 || m->micro >= MICROS_A_SECOND)
    eval_raise(ev, ev->types.ValueError, "microsecond must be in 0..999999");
  int32_t fold = take_part(ev, a[5], "fold", 0);
  if (fold != 0 && fold != 1) eval_raise(ev, ev->types.ValueError, "fold must be either 0 or 1");
  m->fold = (uint8_t)fold;
  if (!v_is_none(a[4]) && !value_isinstance(ev, a[4], datetime_types(ev)->zone_class))
    eval_raise(ev, ev->types.TypeError,
               "tzinfo argument must be None or of a tzinfo subclass, not type '%s'",
               value_type_name(ev, a[4]));
  m->zone = a[4];
}

static Value keep_moment(Eval *ev, Type *cls, Type *native, const Moment *fields) {
  Moment *m = ARENA_NEW(ev->arena, Moment);
  *m = *fields;
  m->base.type = native;
  m->key = key_of(fields);
  return payload_wrap(ev, cls, native, v_object(m));
}

// Of the class, which is called if it is not one of ours; raises ValueError.
static Value make_moment(Eval *ev, Type *cls, const Moment *m) {
  const DatetimeTypes *types = datetime_types(ev);
  if (cls == types->date || cls == types->datetime) return keep_moment(ev, cls, cls, m);
  Value parts[] = {v_int(m->year),  v_int(m->month),  v_int(m->day),
                   v_int(m->hour),  v_int(m->minute), v_int(m->second),
                   v_int(m->micro), m->zone,          v_int(m->fold)};
  if (!type_is_subtype(cls, types->datetime)) return value_call_n(ev, v_object(cls), 3, parts);
  if (!m->fold) return value_call_n(ev, v_object(cls), 8, parts);
  Name fold = name_of(ev, "fold");
  return value_call(ev, v_object(cls), &(Args){8, parts, 1, &fold, &parts[8]});
}

// The state that is pickled: year, month, day in 4 bytes, with the time in 10.
static bool of_state(Eval *ev, Value state, size_t size, Value zone, Moment *m) {
  Str text;
  if (state.kind != V_OBJECT || state.o->type != ev->types.bytes) return false;
  text = ((const BytesObject *)state.o)->text;
  const uint8_t *b = (const uint8_t *)text.data;
  if (text.len != size || (b[2] & 127) < 1 || (b[2] & 127) > 12) return false;
  Value day[] = {v_int(b[0] << 8 | b[1]), v_int(b[2] & 127), v_int(b[3])};
  take_day(ev, m, day[0], day[1], day[2]);
  if (size == 4) return true;
  Value time[] = {v_int(b[4]), v_int(b[5]),     v_int(b[6]), v_int(b[7] << 16 | b[8] << 8 | b[9]),
                  zone,        v_int(b[2] >> 7)};
  take_time(ev, m, time);
  return true;
}

Value date_new(Eval *ev, Value *a) { // cls, year, month, day
  Moment m = {.zone = v_none()};
  if (!v_is_unbound(a[2]) || !of_state(ev, a[1], 4, v_none(), &m))
    take_day(ev, &m, a[1], a[2], a[3]);
  return keep_moment(ev, (Type *)a[0].o, datetime_types(ev)->date, &m);
}

Value datetime_new(Eval *ev, Value *a) { // cls, year … day, hour … microsecond, tzinfo, fold
  Moment m = {.zone = v_none()};
  Value zone = v_is_unbound(a[2]) ? v_none() : a[2];
  if (!v_is_unbound(a[3]) || !of_state(ev, a[1], 10, zone, &m)) {
    take_day(ev, &m, a[1], a[2], a[3]);
    take_time(ev, &m, a + 4);
  }
  return keep_moment(ev, (Type *)a[0].o, datetime_types(ev)->datetime, &m);
}

static Value or_own(Value given, int32_t own) { return v_is_unbound(given) ? v_int(own) : given; }

static Value date_replace(Eval *ev, Value *a) {
  Moment m = *self_moment(ev, a[0]);
  take_day(ev, &m, or_own(a[1], m.year), or_own(a[2], m.month), or_own(a[3], m.day));
  return make_moment(ev, value_type(ev, a[0]), &m);
}

static Value datetime_replace(Eval *ev, Value *a) {
  Moment m = *self_moment(ev, a[0]);
  take_day(ev, &m, or_own(a[1], m.year), or_own(a[2], m.month), or_own(a[3], m.day));
  Value time[] = {or_own(a[4], m.hour),
                  or_own(a[5], m.minute),
                  or_own(a[6], m.second),
                  or_own(a[7], m.micro),
                  v_is_unbound(a[8]) ? m.zone : a[8],
                  or_own(a[9], m.fold)};
  take_time(ev, &m, time);
  return make_moment(ev, value_type(ev, a[0]), &m);
}

static Value date_fromordinal(Eval *ev, Value *a) {
  int64_t ordinal = take_part(ev, a[1], "ordinal", 1);
  if (ordinal < 1) eval_raise(ev, ev->types.ValueError, "ordinal must be >= 1");
  Moment m = {.zone = v_none()};
  set_ordinal(&m, (int32_t)(ordinal > LAST_ORDINAL * 100LL ? LAST_ORDINAL * 100LL : ordinal));
  if (ordinal > LAST_ORDINAL)
    eval_raise(ev, ev->types.ValueError, "year %d is out of range", m.year);
  return make_moment(ev, (Type *)a[0].o, &m);
}

// ---- arithmetic ---------------------------------------------------------------------------------
static Value moved(Eval *ev, Value self, const Moment *m, const Delta *d, int sign) {
  Moment out = *m;
  int64_t ordinal = moment_ordinal(m) + sign * (int64_t)d->days;
  out.fold = 0;
  if (value_as_datetime(ev, self)) {
    int64_t seconds = moment_seconds(m) + sign * (int64_t)d->seconds;
    int32_t micro = m->micro + sign * d->micros;
    if (micro < 0 || micro >= MICROS_A_SECOND) {
      int step = micro < 0 ? -1 : 1;
      micro -= step * MICROS_A_SECOND;
      seconds += step;
    }
    if (seconds < 0 || seconds >= SECONDS_A_DAY) {
      int step = seconds < 0 ? -1 : 1;
      seconds -= step * SECONDS_A_DAY;
      ordinal += step;
    }
    out.micro = micro;
    out.hour = (uint8_t)(seconds / 3600);
    out.minute = (uint8_t)(seconds / 60 % 60);
    out.second = (uint8_t)(seconds % 60);
  }
  if (ordinal < 1 || ordinal > LAST_ORDINAL)
    eval_raise(ev, ev->types.OverflowError, "date value out of range");
  if (ordinal != moment_ordinal(m)) set_ordinal(&out, (int32_t)ordinal);
  return make_moment(ev, value_type(ev, self), &out);
}

// Totals of both, in UTC where they are of different zones that say their offsets. `whose`: what
// is said where only one does.
static void demand_totals(Eval *ev, Value a, Value b, int64_t *x, int64_t *y, const char *what) {
  const Moment *m = value_as_datetime(ev, a), *n = value_as_datetime(ev, b);
  *x = moment_total(m);
  *y = moment_total(n);
  if (value_is(m->zone, n->zone)) return;
  int64_t first = 0, second = 0;
  if (zone_offset(ev, m->zone, a, &first) != zone_offset(ev, n->zone, b, &second))
    eval_raise(ev, ev->types.TypeError, "can't %s offset-naive and offset-aware datetimes", what);
  *x -= first;
  *y -= second;
}

static Value date_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  const Moment *a = value_as_date(ev, left), *b = value_as_date(ev, right);
  const Delta *d = value_as_delta(ev, a ? right : left);
  if (op == BIN_ADD && d) return a ? moved(ev, left, a, d, 1) : moved(ev, right, b, d, 1);
  if (op != BIN_SUB || !a) return v_not_implemented();
  if (d) return moved(ev, left, a, d, -1);
  bool is_moment = value_as_datetime(ev, left) != NULL;
  if (!b || is_moment != (value_as_datetime(ev, right) != NULL)) return v_not_implemented();
  if (!is_moment) return make_delta(ev, moment_ordinal(a) - moment_ordinal(b), 0, 0);
  int64_t x, y;
  demand_totals(ev, left, right, &x, &y, "subtract");
  int64_t seconds = (x - y) / MICROS_A_SECOND;
  return make_delta(ev, 0, seconds, x - y - seconds * MICROS_A_SECOND);
}

// Whether the offset depends on the fold: then it equals no moment of another zone.
static bool depends_on_fold(Eval *ev, Value v) {
  Moment other = *value_as_datetime(ev, v);
  int64_t first = 0, second = 0;
  bool knows = zone_offset(ev, other.zone, v, &first);
  other.fold = !other.fold;
  Value flipped =
      keep_moment(ev, datetime_types(ev)->datetime, datetime_types(ev)->datetime, &other);
  return knows != zone_offset(ev, other.zone, flipped, &second) || first != second;
}

static Value compare_datetimes(Eval *ev, CompareOp op, Value left, Value right) {
  const Moment *m = value_as_datetime(ev, left), *n = value_as_datetime(ev, right);
  if (value_is(m->zone, n->zone)) return ordered(op, m->key, n->key);
  int64_t x = moment_total(m), y = moment_total(n), first = 0, second = 0;
  bool tests_equality = op == CMP_EQ || op == CMP_NE;
  if (zone_offset(ev, m->zone, left, &first) != zone_offset(ev, n->zone, right, &second)) {
    if (tests_equality) return v_bool(op == CMP_NE);
    eval_raise(ev, ev->types.TypeError, "can't compare offset-naive and offset-aware datetimes");
  }
  if (tests_equality && x - first == y - second &&
      (depends_on_fold(ev, left) || depends_on_fold(ev, right)))
    return v_bool(op == CMP_NE);
  return ordered(op, x - first, y - second);
}

static bool are_both(Value left, Value right, const Type *type) {
  return left.kind == V_OBJECT && right.kind == V_OBJECT && left.o->type == type &&
         right.o->type == type;
}

static Value date_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const DatetimeTypes *types = datetime_types(ev);
  if (are_both(left, right, types->datetime)) {
    const Moment *m = (const Moment *)left.o, *n = (const Moment *)right.o;
    if (v_is_none(m->zone) && v_is_none(n->zone)) return ordered(op, m->key, n->key);
    return compare_datetimes(ev, op, left, right);
  }
  if (are_both(left, right, types->date))
    return ordered(op, ((const Moment *)left.o)->key, ((const Moment *)right.o)->key);
  const Moment *a = value_as_date(ev, left), *b = value_as_date(ev, right);
  if (!a || !b) return v_not_implemented();
  bool is_moment = value_as_datetime(ev, left) != NULL;
  Type *x = value_type(ev, left), *y = value_type(ev, right);
  bool is_same_kind = is_moment == (value_as_datetime(ev, right) != NULL);
  // Only the class that derives from the other's knows that a moment is no day.
  if (!is_same_kind && (is_moment || type_is_subtype(y, x))) {
    if (op == CMP_EQ || op == CMP_NE) return v_bool(op == CMP_NE);
    eval_raise(ev, ev->types.TypeError, "can't compare %s to %s", type_shown(is_moment ? x : y),
               type_shown(is_moment ? y : x));
  }
  if (is_moment) return compare_datetimes(ev, op, left, right);
  return ordered(op, moment_ordinal(a), moment_ordinal(b));
}

static uint64_t date_hash(Eval *ev, Value self) {
  const Moment *m = self_moment(ev, self);
  int64_t offset = 0;
  if (!value_as_datetime(ev, self)) return hash_int(moment_ordinal(m));
  if (!v_is_none(m->zone)) {
    Moment first = *m;
    first.fold = 0;
    Type *type = datetime_types(ev)->datetime;
    zone_offset(ev, m->zone, m->fold ? keep_moment(ev, type, type, &first) : self, &offset);
  }
  return hash_int(moment_total(m) - offset);
}

// ---- parts --------------------------------------------------------------------------------------
#define PART(name)                                                                                 \
  static Value part_##name(Eval *ev, Value self) { return v_int(self_moment(ev, self)->name); }
PART(year)
PART(month)
PART(day)
PART(hour)
PART(minute)
PART(second)
PART(micro)
PART(fold)
static Value part_zone(Eval *ev, Value self) { return self_moment(ev, self)->zone; }

static Value date_toordinal(Eval *ev, Value *a) {
  return v_int(moment_ordinal(self_moment(ev, a[0])));
}
static Value date_weekday(Eval *ev, Value *a) {
  return v_int((moment_ordinal(self_moment(ev, a[0])) + 6) % 7);
}
static Value date_isoweekday(Eval *ev, Value *a) {
  return v_int((moment_ordinal(self_moment(ev, a[0])) + 6) % 7 + 1);
}
static Value datetime_total(Eval *ev, Value *a) { // for datetime.pk
  return v_int(moment_total(self_moment(ev, a[0])));
}

static Value of_zone(Eval *ev, Value self, const char *method) {
  Value zone = self_moment(ev, self)->zone;
  return v_is_none(zone) ? v_none() : value_call_method(ev, zone, method, 1, &self);
}
static Value datetime_utcoffset(Eval *ev, Value *a) {
  int64_t offset;
  Value zone = self_moment(ev, a[0])->zone;
  return zone_offset(ev, zone, a[0], &offset) ? make_delta(ev, 0, 0, offset) : v_none();
}
static Value datetime_tzname(Eval *ev, Value *a) { return of_zone(ev, a[0], "tzname"); }
static Value datetime_dst(Eval *ev, Value *a) { return of_zone(ev, a[0], "dst"); }

static Value datetime_date(Eval *ev, Value *a) {
  const Moment *m = self_moment(ev, a[0]);
  Type *date = datetime_types(ev)->date;
  return keep_moment(
      ev, date, date,
      &(Moment){.year = m->year, .month = m->month, .day = m->day, .zone = v_none()});
}

static Str date_repr(Eval *ev, Value self) {
  const Moment *m = self_moment(ev, self);
  Buf out;
  buf_init(&out, ev->arena);
  buf_printf(&out, "%s(%d, %d, %d", type_shown(value_type(ev, self)), m->year, m->month, m->day);
  if (value_as_datetime(ev, self)) {
    buf_printf(&out, ", %d, %d", m->hour, m->minute);
    if (m->second || m->micro) buf_printf(&out, ", %d", m->second);
    if (m->micro) buf_printf(&out, ", %d", m->micro);
    if (m->fold) buf_c(&out, ", fold=1");
    if (!v_is_none(m->zone)) {
      buf_c(&out, ", tzinfo=");
      value_put_repr(ev, m->zone, &out);
    }
  }
  buf_char(&out, ')');
  return buf_view(&out);
}

static Str text_of(Value v) {
  Str text = {0};
  value_as_str(v, &text);
  return text;
}
static Str date_str(Eval *ev, Value self) {
  Value method = value_call_method(ev, self, "isoformat", 0, NULL);
  return text_of(method);
}
static Str datetime_str(Eval *ev, Value self) {
  Value blank = make_str_c(ev, " ");
  return text_of(value_call_method(ev, self, "isoformat", 1, &blank));
}
static Str date_format(Eval *ev, Value self, Str spec) {
  if (!spec.len) return value_str(ev, self);
  Value format = make_str(ev, spec);
  return text_of(value_call_method(ev, self, "strftime", 1, &format));
}

#define DATE_METHODS                                                                               \
  {"toordinal(self, /)", date_toordinal}, {"weekday(self, /)", date_weekday},                      \
      {"isoweekday(self, /)", date_isoweekday}, {"strftime(self, format)", date_strftime}, {       \
    "fromordinal(cls, ordinal, /)", date_fromordinal                                               \
  }
#define DATE_SLOTS                                                                                 \
  .binary = date_binary, .compare = date_compare, .hash = date_hash, .repr = date_repr,            \
  .format = date_format

static const NativeType date_type = {
    .slots = {DATE_SLOTS, .str = date_str},
    .methods = (const NativeDef[]){DATE_METHODS,
                                   {"__new__(cls, /, year=, month=, day=)", date_new},
                                   {"replace(self, /, year=, month=, day=)", date_replace},
                                   {"isoformat(self, /)", date_isoformat},
                                   {"fromisoformat(cls, string, /)", date_from_iso},
                                   {0}},
    .getters =
        (const NativeGetter[]){{"year", part_year}, {"month", part_month}, {"day", part_day}, {0}},
};

static const NativeType datetime_type = {
    .slots = {DATE_SLOTS, .str = datetime_str},
    .methods =
        (const NativeDef[]){
            DATE_METHODS,
            {"__new__(cls, /, year=, month=, day=, hour=0, minute=0, second=0, microsecond=0, "
             "tzinfo=None, *, fold=0)",
             datetime_new},
            {"replace(self, /, year=, month=, day=, hour=, minute=, second=, microsecond=, "
             "tzinfo=, *, fold=)",
             datetime_replace},
            {"isoformat(self, /, sep='T', timespec='auto')", datetime_isoformat},
            {"fromisoformat(cls, string, /)", datetime_from_iso},
            {"utcoffset(self, /)", datetime_utcoffset},
            {"tzname(self, /)", datetime_tzname},
            {"dst(self, /)", datetime_dst},
            {"date(self, /)", datetime_date},
            {"_total(self, /)", datetime_total},
            {0}},
    .getters = (const NativeGetter[]){{"hour", part_hour},
                                      {"minute", part_minute},
                                      {"second", part_second},
                                      {"microsecond", part_micro},
                                      {"fold", part_fold},
                                      {"tzinfo", part_zone},
                                      {0}},
};

// ---- the module ---------------------------------------------------------------------------------
// What is written in the language of a class: everything that `rest` has.
static Value complete(Eval *ev, Value *a) {
  Type *type = (Type *)a[0].o;
  const Dict *rest = ((const Type *)a[1].o)->dict;
  DictEntry *entry;
  Str name;
  for (size_t it = 0; dict_next(rest, &it, &entry);) {
    if (!value_as_str(entry->key, &name) || str_is(name, "__module__") ||
        str_is(name, "__qualname__") || str_is(name, "__dict__") || str_is(name, "__weakref__") ||
        str_is(name, "__doc__"))
      continue;
    dict_set_name(ev, type->dict, name_intern(ev->session->interner, name), entry->value);
  }
  return v_none();
}

static Value set_zone_class(Eval *ev, Value *a) {
  datetime_types(ev)->zone_class = a[0];
  return v_none();
}

static void init(Eval *ev, ModuleObject *module) {
  if (!ev->builtin->datetime) {
    DatetimeTypes *types = ARENA_NEW(ev->arena, DatetimeTypes);
    ev->builtin->datetime = types;
    datetime_delta_init(ev);
    types->date = native_type_new(ev, "datetime", "date", NULL, &date_type);
    types->date->full_name = "datetime.date";
    types->datetime = native_type_new(ev, "datetime", "datetime", types->date, &datetime_type);
    types->datetime->full_name = "datetime.datetime";
  }
  const DatetimeTypes *types = ev->builtin->datetime;
  module_set(ev, module, "timedelta", v_object(types->delta));
  module_set(ev, module, "date", v_object(types->date));
  module_set(ev, module, "datetime", v_object(types->datetime));
}

static const NativeDef natives[] = {
    {"complete(cls, rest, /)", complete}, {"set_zone_class(cls, /)", set_zone_class}, {0}};

const ModuleDef module_datetime = {.name = "_datetime", .functions = natives, .init = init};
