// SPDX-License-Identifier: Apache-2.0
// Values as NumPy prints arrays and Python prints scalars.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "machine/prt_element.h"
#include "machine/prt_fail.h"
#include "prt_print.h"
#include "text/prt_array_text.h"

static void prt__print_scalar(prt_text *out, prt_dtype dtype, const void *element) {
  int64_t value = prt__load_int(dtype, element);
  switch (prt__dtype_kind(dtype)) {
  case 'b': prt__text_c(out, value ? "True" : "False"); break;
  case 'f': prt__put_repr(&(prt_sink){prt__text_sink, out}, prt__load_float(dtype, element)); break;
  case 'u': prt__text_printf(out, "%" PRIu64, (uint64_t)value); break;
  default: prt__text_printf(out, "%" PRId64, value); break;
  }
}

static const void *element_at(const prt_value *v, int64_t i) {
  return (const char *)v->data + (size_t)i * prt_dtype_size((prt_dtype)v->dtype);
}

static double float_at(const void *data, int64_t i) {
  const prt_value *v = data;
  return prt__load_float((prt_dtype)v->dtype, element_at(v, i));
}

static uint64_t integer_at(const void *data, int64_t i) {
  const prt_value *v = data;
  return (uint64_t)prt__load_int((prt_dtype)v->dtype, element_at(v, i));
}

// NumPy prints the types of ml_dtypes as objects.
static char kind_of(prt_dtype dtype) {
  char kind = prt__dtype_kind(dtype);
  if (kind == 'f') return dtype == PRT_BF16 || prt_dtype_size(dtype) == 1 ? 'x' : 'f';
  return prt__packed_bits(dtype) ? 'y' : kind;
}

static void print_array(prt_text *out, const prt_value *value, const prt_array_style *style) {
  prt_dtype dtype = (prt_dtype)value->dtype;
  prt_elements elements = {.rank = value->rank,
                           .dims = value->dims,
                           .kind = kind_of(dtype),
                           .bits = (int)prt_dtype_size(dtype) * 8,
                           .data = value,
                           .number = float_at,
                           .integer = integer_at};
  prt__put_array(&(prt_sink){prt__text_sink, out}, &elements, style);
}

void prt__print_value(prt_text *out, const prt_value *value) {
  prt_array_style style = prt__array_style();
  if (value->rank == 0)
    prt__print_scalar(out, (prt_dtype)value->dtype, value->data);
  else
    print_array(out, value, &style);
}

static bool is_empty(const prt_value *value) {
  for (int32_t i = 0; i < value->rank; i++)
    if (value->dims[i] == 0) return true;
  return false;
}

static void print_empty(prt_text *out, const prt_value *value) {
  prt__text_c(out, "[], shape=(");
  for (int32_t i = 0; i < value->rank; i++)
    prt__text_printf(out, "%s%lld", i ? ", " : "", (long long)value->dims[i]);
  prt__text_c(out, value->rank == 1 ? ",)" : ")");
}

void prt__print_repr(prt_text *out, const prt_value *value) {
  prt_array_style style = prt__array_style();
  style.separator = ", ";
  style.prefix = (int)strlen("Array(");
  style.suffix = 1;
  size_t begin = out->length;
  prt__text_c(out, "Array(");
  if (is_empty(value))
    print_empty(out, value);
  else
    print_array(out, value, &style);
  if (out->failed) return;
  for (size_t i = begin; i < out->length; i++)
    if (out->data[i] == '\n') begin = i + 1;
  const char *name = prt_dtype_name((prt_dtype)value->dtype);
  bool fits = out->length - begin + strlen(", dtype=)") + strlen(name) <= (size_t)style.linewidth;
  prt__text_printf(out, ",%sdtype=%s)", fits ? " " : "\n      ", name);
}

// What a caller may have mistaken; NULL if nothing is.
static const char *mistaken_argument(FILE *out, const prt_value *value) {
  if (!out) return "the file is NULL";
  if (!prt_dtype_size((prt_dtype)value->dtype)) return "there is no such dtype";
  if (value->rank < 0) return "the rank is negative";
  if (value->rank && !value->dims) return "the dimensions are NULL";
  for (int32_t i = 0; i < value->rank; i++)
    if (value->dims[i] < 0) return "a dimension is negative";
  return value->data || is_empty(value) ? NULL : "the array is NULL";
}

prt_status prt_print_array(FILE *out, prt_dtype dtype, int32_t rank, const int64_t *dims,
                           const void *data) {
  prt_text text = {0};
  prt_value value = {data, (int32_t)dtype, rank, dims};
  const char *mistake = mistaken_argument(out, &value);
  if (mistake) return prt__set_error(PRT_ERROR_ARGUMENT, "prt_print_array: %s", mistake);
  prt__print_value(&text, &value);
  bool written = text.data && fwrite(text.data, 1, text.length, out) == text.length;
  bool failed = text.failed || !text.data;
  prt__text_free(&text);
  if (failed) return prt__set_error(PRT_ERROR_MEMORY, "prt_print_array: out of memory");
  return written ? PRT_OK : prt__set_error(PRT_ERROR_IO, "prt_print_array: cannot write");
}
