// SPDX-License-Identifier: Apache-2.0
// .npy files: reading. The header is a Python dict literal, parsed here by hand; prt_npy_write.c
// writes.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "machine/prt_element.h"
#include "machine/prt_fail.h"
#include "machine/prt_scratch.h"
#include "prt_npy.h"
#include "npy/prt_npy_layout.h"

enum { MAX_HEADER = 1 << 20, MAGIC_SIZE = 8 };
static const size_t first_read = (size_t)1 << 24; // of a pipe, whose length nobody knows

// A file that is being read.
typedef struct Reader {
  const char *path; // for messages
  int fd;
  bool sized;    // `left` is known
  uint64_t left; // bytes of a regular file behind what was read
  char *header;  // on the heap, NUL-terminated
  size_t header_size;
} Reader;

typedef struct Header {
  prt_dtype dtype;
  bool is_raw, swapped, fortran;
  bool has_descr, has_order, has_shape;
  int32_t rank;
  int64_t dims[PRT_NPY_MAX_RANK];
} Header;

static prt_status bad(const Reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static prt_status bad(const Reader *r, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return prt__set_error(PRT_ERROR_FORMAT, "%s: %s", r->path, text);
}

// ---- bytes --------------------------------------------------------------------------------------
static prt_status open_file(Reader *r, const char *path) {
  bool is_input = strcmp(path, "-") == 0;
  *r = (Reader){.path = is_input ? "<stdin>" : path,
                .fd = is_input ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)};
  if (r->fd < 0) return prt__set_error(PRT_ERROR_IO, "%s: %s", r->path, strerror(errno));
  struct stat st;
  if (fstat(r->fd, &st)) return prt__set_error(PRT_ERROR_IO, "%s: %s", r->path, strerror(errno));
  if (S_ISDIR(st.st_mode)) return prt__set_error(PRT_ERROR_IO, "%s: %s", r->path, strerror(EISDIR));
  if (S_ISREG(st.st_mode)) {
    off_t at = lseek(r->fd, 0, SEEK_CUR);
    r->sized = at >= 0;
    r->left = r->sized && st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
  }
  return PRT_OK;
}

static void close_file(Reader *r) {
  if (r->fd >= 0) close(r->fd);
  free(r->header);
}

// Reads up to `bytes`; fewer only at the end of the file.
static prt_status read_some(Reader *r, void *to, size_t bytes, size_t *got) {
  *got = 0;
  while (*got < bytes) {
    size_t want = bytes - *got;
    ssize_t n = read(r->fd, (char *)to + *got, want > (size_t)1 << 30 ? (size_t)1 << 30 : want);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return prt__set_error(PRT_ERROR_IO, "%s: %s", r->path, strerror(errno));
    if (n == 0) break;
    *got += (size_t)n;
  }
  if (r->sized) r->left -= *got < r->left ? *got : r->left;
  return PRT_OK;
}

// ---- the header's text --------------------------------------------------------------------------
static prt_status read_header_text(Reader *r) {
  uint8_t magic[12];
  size_t got;
  prt_status status = read_some(r, magic, MAGIC_SIZE, &got);
  if (status) return status;
  if (got < 6 || memcmp(magic, "\x93NUMPY", 6) != 0) return bad(r, "not a .npy file");
  if (got < MAGIC_SIZE) return bad(r, "truncated in its header");
  int version = magic[6];
  if (version < 1 || version > 3)
    return bad(r, "format version %d.%d is not known (1.0 to 3.0 are)", magic[6], magic[7]);
  size_t length_bytes = version == 1 ? 2 : 4;
  status = read_some(r, magic + MAGIC_SIZE, length_bytes, &got);
  if (status) return status;
  if (got < length_bytes) return bad(r, "truncated in its header");
  size_t length = 0;
  for (size_t i = length_bytes; i-- > 0;) length = length << 8 | magic[MAGIC_SIZE + i];
  if (length > MAX_HEADER)
    return bad(r, "its header of %zu bytes is longer than the %d that are accepted", length,
               MAX_HEADER);
  r->header = malloc(length + 1);
  if (!r->header) return prt__set_error(PRT_ERROR_MEMORY, "%s: out of memory", r->path);
  status = read_some(r, r->header, length, &got);
  if (status) return status;
  if (got < length) return bad(r, "truncated in its header");
  r->header[length] = 0;
  r->header_size = length;
  return PRT_OK;
}

// ---- the dict -----------------------------------------------------------------------------------
typedef struct Cursor {
  const Reader *reader;
  const char *p, *end;
} Cursor;

static void skip_space(Cursor *c) {
  while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n' || *c->p == '\r')) c->p++;
}

static bool accept(Cursor *c, char symbol) {
  skip_space(c);
  if (c->p >= c->end || *c->p != symbol) return false;
  c->p++;
  return true;
}

static prt_status malformed(const Cursor *c) {
  return bad(c->reader, "its header is malformed at byte %zu of the description",
             (size_t)(c->p - c->reader->header));
}

static prt_status parse_string(Cursor *c, const char **text, size_t *length) {
  skip_space(c);
  if (c->p >= c->end || (*c->p != '\'' && *c->p != '"')) return malformed(c);
  const char *stop = memchr(c->p + 1, *c->p, (size_t)(c->end - c->p - 1));
  if (!stop) return malformed(c);
  *text = c->p + 1;
  *length = (size_t)(stop - *text);
  c->p = stop + 1;
  return PRT_OK;
}

static prt_status parse_dim(Cursor *c, int64_t *out) {
  int64_t value = 0;
  const char *start = c->p;
  for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *c->p - '0', &value))
      return bad(c->reader, "a dimension of its shape does not fit 64 bits");
  if (c->p == start) return malformed(c);
  if (c->p < c->end && *c->p == 'L') c->p++; // written by Python 2
  *out = value;
  return PRT_OK;
}

static prt_status parse_shape(Cursor *c, Header *h) {
  if (!accept(c, '(')) return malformed(c);
  while (!accept(c, ')')) {
    if (h->rank == PRT_NPY_MAX_RANK)
      return bad(c->reader, "it has more than %d dimensions", PRT_NPY_MAX_RANK);
    prt_status status = parse_dim(c, &h->dims[h->rank]);
    if (status) return status;
    h->rank++;
    if (accept(c, ',')) continue;
    if (!accept(c, ')')) return malformed(c);
    break;
  }
  h->has_shape = true;
  return PRT_OK;
}

// ---- element types ------------------------------------------------------------------------------
static bool find_descr(const char *descr, prt_dtype *out) {
  static const struct {
    const char *descr;
    prt_dtype dtype;
  } table[] = {
#define PRT_DTYPE(id, number, short_name, name, bytes, kind, c_type, descr) {descr, PRT_##id},
#include "prt_dtype.def"
#undef PRT_DTYPE
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (descr[0] != 'V' && strcmp(descr, table[i].descr) == 0) {
      *out = table[i].dtype;
      return true;
    }
  return false;
}

// Raw bytes: what the caller expects, if it is of that size and would be written so.
static prt_status raw_type(const Reader *r, int bytes, const prt_dtype *expected, Header *h) {
  h->is_raw = true;
  h->swapped = false;
  if (expected && (int)prt_dtype_size(*expected) == bytes)
    h->dtype = *expected;
  else if (bytes != 1 && bytes != 2)
    return bad(r, "its elements are raw bytes ('V%d') and nothing says of what type", bytes);
  else
    h->dtype = bytes == 2 ? PRT_BF16 : PRT_U8;
  return PRT_OK;
}

static prt_status take_descr(const Reader *r, const char *text, size_t length,
                             const prt_dtype *expected, Header *h) {
  char descr[40];
  if (length >= sizeof descr) return bad(r, "its element type is not supported: '%.*s…'", 30, text);
  memcpy(descr, text, length);
  descr[length] = 0;
  h->has_descr = true;
  // 'bfloat16'; our own short names mean other types to NumPy ('i4' is int32).
  if (prt_dtype_from_name(descr, &h->dtype) && strcmp(descr, prt_dtype_name(h->dtype)) == 0)
    return PRT_OK;
  const char *type = descr;
  if (*type && strchr("<>=|", *type)) type++;
  h->swapped = descr[0] == '>';
  if (*type == 'V') return raw_type(r, atoi(type + 1), expected, h);
  if (strcmp(type, "f1") == 0) { // how ml_dtypes writes float8_e5m2
    h->is_raw = true;
    h->dtype = PRT_F8E5M2;
    return PRT_OK;
  }
  if (find_descr(type, &h->dtype)) return PRT_OK;
  const char *what = *type == 'O'                   ? " (Python objects)"
                     : *type == 'c'                 ? " (complex numbers)"
                     : *type == 'U' || *type == 'S' ? " (text)"
                     : *type == 'M' || *type == 'm' ? " (dates)"
                                                    : "";
  return bad(r, "its element type '%s'%s is not supported", descr, what);
}

// ---- entries of the dict ------------------------------------------------------------------------
static prt_status parse_order(Cursor *c, Header *h) {
  skip_space(c);
  size_t left = (size_t)(c->end - c->p);
  if (left >= 4 && memcmp(c->p, "True", 4) == 0) {
    h->fortran = true;
    c->p += 4;
  } else if (left >= 5 && memcmp(c->p, "False", 5) == 0) {
    c->p += 5;
  } else {
    return malformed(c);
  }
  h->has_order = true;
  return PRT_OK;
}

static prt_status parse_entry(Cursor *c, const prt_dtype *expected, Header *h) {
  const char *key, *text;
  size_t key_length, length;
  prt_status status = parse_string(c, &key, &key_length);
  if (status) return status;
  if (!accept(c, ':')) return malformed(c);
  if (key_length == 5 && memcmp(key, "shape", 5) == 0 && !h->has_shape) return parse_shape(c, h);
  if (key_length == 13 && memcmp(key, "fortran_order", 13) == 0) return parse_order(c, h);
  if (key_length != 5 || memcmp(key, "descr", 5) != 0)
    return bad(c->reader, "its header has a key '%.*s' that is not known",
               (int)(key_length < 40 ? key_length : 40), key);
  skip_space(c);
  if (c->p < c->end && *c->p == '[')
    return bad(c->reader, "its elements are records (a structured dtype), which are not supported");
  status = parse_string(c, &text, &length);
  return status ? status : take_descr(c->reader, text, length, expected, h);
}

static prt_status parse_header(const Reader *r, const prt_dtype *expected, Header *h) {
  Cursor c = {r, r->header, r->header + r->header_size};
  *h = (Header){0};
  if (!accept(&c, '{')) return malformed(&c);
  while (!accept(&c, '}')) {
    prt_status status = parse_entry(&c, expected, h);
    if (status) return status;
    if (accept(&c, ',')) continue;
    if (!accept(&c, '}')) return malformed(&c);
    break;
  }
  skip_space(&c);
  if (c.p != c.end) return malformed(&c);
  if (!h->has_descr || !h->has_order || !h->has_shape)
    return bad(r, "its header lacks '%s'",
               !h->has_descr   ? "descr"
               : !h->has_order ? "fortran_order"
                               : "shape");
  return PRT_OK;
}

// ---- arrays -------------------------------------------------------------------------------------
static bool count_bytes(prt_dtype dtype, int32_t rank, const int64_t *dims, prt_array *out) {
  *out = (prt_array){.dtype = dtype, .rank = rank, .count = 1};
  bool is_empty = false;
  for (int32_t i = 0; i < rank; i++) {
    if (dims[i] < 0) return false;
    out->dims[i] = dims[i];
    is_empty |= dims[i] == 0;
  }
  for (int32_t i = 0; i < rank && !is_empty; i++)
    if (__builtin_mul_overflow(out->count, dims[i], &out->count)) return false;
  if (is_empty) out->count = 0;
  int64_t bytes;
  if (__builtin_mul_overflow(out->count, (int64_t)prt_dtype_size(dtype), &bytes)) return false;
  out->bytes = (size_t)bytes;
  return bytes <= INT64_MAX / 2;
}

static prt_status allocate(prt_array *array, const char *path) {
  array->mapping_bytes = array->bytes ? array->bytes : 1;
  array->data = array->mapping = prt__map(array->mapping_bytes);
  return array->data
             ? PRT_OK
             : prt__set_error(PRT_ERROR_MEMORY, "%s: out of memory: no %zu bytes for the array",
                              path, array->bytes);
}

prt_status prt_array_new(prt_dtype dtype, int32_t rank, const int64_t *dims, prt_array *out) {
  if (rank < 0 || rank > PRT_NPY_MAX_RANK || !prt_dtype_size(dtype) ||
      !count_bytes(dtype, rank, dims, out)) {
    *out = (prt_array){0};
    return prt__set_error(PRT_ERROR_ARGUMENT,
                          "prt_array_new: the type or the shape is not possible");
  }
  prt_status status = allocate(out, "prt_array_new");
  if (status) *out = (prt_array){0};
  return status;
}

void prt_array_free(prt_array *array) {
  if (array->mapping) prt__unmap(array->mapping, array->mapping_bytes);
  *array = (prt_array){0};
}

static prt_status truncated(const Reader *r, const prt_array *array, uint64_t have) {
  return bad(r, "truncated: its shape needs %zu bytes of elements, %llu are there", array->bytes,
             (unsigned long long)have);
}

// From a pipe: memory grows with what comes, so that a header's claim alone takes none.
static prt_status read_piped(Reader *r, prt_array *array) {
  size_t have = 0, room = array->bytes < first_read ? array->bytes : first_read;
  char *data = prt__map(room ? room : 1);
  size_t mapped = room ? room : 1;
  while (data && have < array->bytes) {
    size_t got;
    prt_status status = read_some(r, data + have, room - have, &got);
    if (!status && got < room - have) status = truncated(r, array, have + got);
    if (status) {
      prt__unmap(data, mapped);
      return status;
    }
    have = room;
    if (have == array->bytes) break;
    room = array->bytes - have < have ? array->bytes : 2 * have;
    char *larger = prt__map(room);
    if (larger) memcpy(larger, data, have);
    prt__unmap(data, mapped);
    data = larger;
    mapped = room;
  }
  if (!data)
    return prt__set_error(PRT_ERROR_MEMORY, "%s: out of memory: no %zu bytes for the array",
                          r->path, array->bytes);
  array->data = array->mapping = data;
  array->mapping_bytes = mapped;
  return PRT_OK;
}

static prt_status read_elements(Reader *r, prt_array *array) {
  if (!r->sized) return read_piped(r, array);
  if (r->left < array->bytes) return truncated(r, array, r->left);
  prt_status status = allocate(array, r->path);
  if (status) return status;
  size_t got;
  status = read_some(r, array->data, array->bytes, &got);
  if (!status && got < array->bytes) status = truncated(r, array, got);
  return status;
}

static void swap_elements(prt_array *array) {
  size_t size = prt_dtype_size(array->dtype);
  for (int64_t i = 0; i < array->count; i++) {
    char *p = (char *)array->data + (size_t)i * size;
    for (size_t a = 0, b = size - 1; a < b; a++, b--) {
      char c = p[a];
      p[a] = p[b];
      p[b] = c;
    }
  }
}

// The elements came in Fortran's order, first index fastest.
static prt_status reorder(const Reader *r, prt_array *array) {
  prt_array turned = *array;
  prt_status status = allocate(&turned, r->path);
  if (status) return status;
  size_t size = prt_dtype_size(array->dtype);
  int64_t index[PRT_NPY_MAX_RANK] = {0}, stride[PRT_NPY_MAX_RANK], step = 1;
  for (int32_t i = 0; i < array->rank; i++) {
    stride[i] = step;
    step *= array->dims[i];
  }
  int64_t from = 0;
  for (int64_t to = 0; to < array->count; to++) {
    memcpy((char *)turned.data + (size_t)to * size, (char *)array->data + (size_t)from * size,
           size);
    for (int32_t i = array->rank - 1; i >= 0; i--) {
      from += stride[i];
      if (++index[i] < array->dims[i]) break;
      from -= stride[i] * array->dims[i];
      index[i] = 0;
    }
  }
  prt_array_free(array);
  *array = turned;
  return PRT_OK;
}

// Bytes of bool arrays are 0 or 1 for us, anything but 0 is true for NumPy; int4 and int2 have no
// high bits.
static void normalise(prt_array *array) {
  uint8_t *bytes = array->data;
  if (array->dtype == PRT_BOOL)
    for (int64_t i = 0; i < array->count; i++) bytes[i] = bytes[i] != 0;
  int bits = prt__packed_bits(array->dtype);
  for (int64_t i = 0; bits && i < array->count; i++) bytes[i] &= (uint8_t)((1 << bits) - 1);
}

static void describe(const Reader *r, const Header *h, const prt_array *array,
                     prt_npy_layout *layout) {
  off_t at = r->sized ? lseek(r->fd, 0, SEEK_CUR) : -1;
  bool is_exact = array->dtype != PRT_BOOL && !prt__packed_bits(array->dtype);
  *layout = (prt_npy_layout){.is_raw = h->is_raw,
                             .is_plain = at >= 0 && is_exact && !h->swapped && !h->fortran,
                             .offset = at > 0 ? (size_t)at : 0};
}

// `layout`: NULL, or for the header alone.
static prt_status read_file(Reader *r, const prt_dtype *expected, prt_array *out,
                            prt_npy_layout *layout) {
  Header h;
  prt_status status = read_header_text(r);
  if (!status) status = parse_header(r, expected, &h);
  if (status) return status;
  if (!count_bytes(h.dtype, h.rank, h.dims, out))
    return bad(r, "its shape is too large: the number of bytes does not fit 64 bits");
  if (layout) {
    describe(r, &h, out, layout);
    layout->is_short = r->sized && r->left < out->bytes;
    return PRT_OK;
  }
  status = read_elements(r, out);
  if (status) return status;
  if (h.swapped) swap_elements(out);
  normalise(out);
  return h.fortran ? reorder(r, out) : PRT_OK;
}

static prt_status read_path(const char *path, const prt_dtype *expected, prt_array *out,
                            prt_npy_layout *layout) {
  Reader r;
  *out = (prt_array){0};
  prt_status status = open_file(&r, path);
  if (!status) status = read_file(&r, expected, out, layout);
  close_file(&r);
  if (status) prt_array_free(out);
  return status;
}

prt_status prt_npy_read(const char *path, const prt_dtype *expected, prt_array *out) {
  return read_path(path, expected, out, NULL);
}

prt_status prt__npy_layout(const char *path, const prt_dtype *expected, prt_array *out,
                           prt_npy_layout *layout) {
  return read_path(path, expected, out, layout);
}

prt_status prt_npy_read_header(const char *path, const prt_dtype *expected, prt_array *out,
                               bool *is_raw) {
  prt_npy_layout layout = {0};
  prt_status status = read_path(path, expected, out, &layout);
  if (is_raw && !status) *is_raw = layout.is_raw;
  return status;
}
