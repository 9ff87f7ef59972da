// SPDX-License-Identifier: Apache-2.0
// print(read(text)) == text for every op and attribute of the tables; what the reader refuses, and
// where.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "suite.h"

static Str read_and_print(Session *session, Str text) {
  IrModule *module = ir_read(session, source_add(session, STR("test.ir"), text, false));
  if (!module) {
    diag_flush(session);
    ck_abort_msg("not read: %.*s", STR_FMT(text));
  }
  Buf out;
  buf_init(&out, session->arena);
  ir_print(module, false, &out);
  Str printed = buf_view(&out);
  ir_module_free(module);
  return printed;
}

// ---- every op ----------------------------------------------------------------------------------
// What ops without a syntax of their own look like in a function that has these values. `TYPE x2`,
// …
static const char *const preamble = "  %f = const {1.5, -2} : f32[2]\n"
                                    "  %i = const {1, -2} : i32[2]\n"
                                    "  %u = const {1, 4294967295} : u32[2]\n"
                                    "  %p = const {true, false} : bool[2]\n"
                                    "  %i0 = const 3 : i32\n"
                                    "  %p0 = const true : bool\n"
                                    "  %f0 = const 0.5 : f32\n"
                                    "  %m = const 2 : f32[4,6]\n"
                                    "  %b = const 1 : bf16[4,6]\n"
                                    "  %ix = const 1 : i32[3,1]\n"
                                    "  %r = alloc \"scratch\" : vmem f32[4,6]\n"
                                    "  %s = alloc : smem i32[8]\n"
                                    "  %sem = alloc : sem dma[2]\n"
                                    "  %sem0 = view %sem[0] : sem dma\n";

typedef struct Sample {
  OpCode code;
  const char *text; // lines of the function, each with its newline and indentation
} Sample;

static const Sample samples[] = {
    {OP_CONST, "  %x = const {1e-45, nan, inf, -inf, 0x7fc00001, 0xffc00000, -0} : f32[7]\n"},
    {OP_CONST, "  %x = const {0x7e01, 6e-08, 65504, 0x7c01} : f16[4]\n"},
    {OP_CONST, "  %x = const {1.01, 3.39e+38, nan} : bf16[3]\n"},
    {OP_CONST, "  %x = const {448, nan, 0xff} : f8e4m3fn[3]\n"},
    {OP_CONST, "  %x = const {-8, 7} : i4[2]\n"},
    {OP_CONST, "  %x = const {} : i8[0,4]\n"},
    {OP_CONST, "  %x = const 0 : u8[3]\n"},
    {OP_IOTA, "  %x = iota dim 1 : i16[2,3]\n"},
    {OP_REDUCE_PRECISION, "  %x = reduce_precision %f exponent_bits 5 mantissa_bits 10 : f32[2]\n"},
    {OP_RECIPROCAL, "  %x = reciprocal %f approx : f32[2]\n  %y = reciprocal %f : f32[2]\n"},
    {OP_IS_FINITE, "  %x = is_finite %f : bool[2]\n"},
    {OP_CONVERT, "  %x = convert %f : bf16[2]\n"},
    {OP_BITCAST, "  %x = bitcast %f : u32[2]\n"},
    {OP_SELECT, "  %x = select %p, %f, %f : f32[2]\n"},
    {OP_THREEFRY, "  %x, %y = threefry2x32 %u, %u, %u, %u : (u32[2], u32[2])\n"},
    {OP_BROADCAST, "  %x = broadcast %f0 : f32[2]\n  %y = broadcast %f dims [1] : f32[3,2]\n"},
    {OP_RESHAPE, "  %x = reshape %m : f32[24]\n"},
    {OP_TRANSPOSE, "  %x = transpose %m dims [1, 0] : f32[6,4]\n"},
    {OP_SLICE, "  %x = slice %m starts [0, 1] limits [4, 6] strides [1, 2] : f32[4,3]\n"},
    {OP_PAD, "  %x = pad %m, %f0 low [1, -1] high [0, 2] interior [0, 1] : f32[5,12]\n"},
    {OP_CONCAT, "  %x = concat %m, %m dim 1 : f32[4,12]\n"},
    {OP_REV, "  %x = rev %m dims [0, 1] : f32[4,6]\n"},
    {OP_DYNAMIC_SLICE, "  %x = dynamic_slice %m, %i0, %i0 sizes [2, 6] : f32[2,6]\n"},
    {OP_DYNAMIC_UPDATE_SLICE, "  %x = dynamic_slice %m, %i0, %i0 sizes [2, 6] : f32[2,6]\n"
                              "  %y = dynamic_update_slice %m, %x, %i0, %i0 : f32[4,6]\n"},
    {OP_BITCAST_WIDTH, "  %x = bitcast_width %f : u8[2,4]\n  %y = bitcast_width %x : i32[2]\n"},
    {OP_ARGMAX, "  %x = argmax %m axes [1] : i32[4]\n"},
    {OP_ARGMIN, "  %x = argmin %m axes [0] : i16[6]\n"},
    {OP_DOT, "  %x = dot %m, %b lhs_contract [1] rhs_contract [1] precision highest : f32[4,4]\n"
             "  %y = dot %m, %b lhs_contract [1] rhs_contract [1] lhs_batch [0] rhs_batch [0] "
             "precision default : bf16[4]\n"
             "  %z = dot %m, %b, %x lhs_contract [1] rhs_contract [1] precision highest sum_block "
             "4 : f32[4,4]\n"},
    {OP_SORT, "  %x, %y = sort %f, %i dim 0 keys 1 stable descending : (f32[2], i32[2])\n"},
    {OP_GATHER, "  %x = gather %m, %ix offset_dims [1] collapsed_dims [0] index_map [0] "
                "sizes [1, 6] mode fill fill nan : f32[3,6]\n"},
    {OP_LOOKUP,
     "  %j = const 1 : i32[3,6]\n  %x = lookup %m, %j, %j, %j index_map [0, 1, 0] : f32[3,6]\n"
     "  %y = lookup %m : f32[5]\n"},
    {OP_SCATTER, "  %x = const 2 : f32[3,6]\n"
                 "  %y = scatter %m, %ix, %x offset_dims [1] collapsed_dims [0] index_map [0] "
                 "mode clip combine add : f32[4,6]\n"
                 "  %z = const 2 : f32[3]\n"
                 "  %w = const 0 : f32[3,6]\n"
                 "  %v = scatter %w, %ix, %z collapsed_dims [1] index_map [1] operand_batch [0] "
                 "index_batch [0] "
                 "mode promise combine set : f32[3,6]\n"},
    {OP_PRNG_SEED, "  prng_seed %i0, %i0\n"},
    {OP_PRNG_BITS, "  %x = prng_bits : u32[8,128]\n"},
    {OP_ALLOC, "  %x = alloc \"a \\\"b\\\"\\\\\\n\\t\\x01\\x1f ~\\x7f\" : vmem_shared bf16[8]\n"},
    {OP_LOAD, "  %x = load %r[:, 0 : 3 : 2] : f32[4,3]\n"
              "  %y = load %r[%i0, %i0 : %i0 max 5] : f32[5]\n"
              "  %z = load %r[%ix, 1] : f32[3,1]\n"
              "  %o = load %r[%ix, :] : f32[3,1,6]\n"},
    {OP_LOAD, "  %t = const true : bool[6]\n  %o = const 0 : f32[6]\n"
              "  %x = load %r[2, :] mask %t other %o : f32[6]\n"},
    {OP_UNWRITTEN, "  %x = unwritten %r[:, 0 : 3 : 2] origin 2 : u8[4,3]\n"},
    {OP_UNWRITE, "  %m8 = const 2 : u8[6]\n  unwrite %m8, %r[0, :]\n"},
    {OP_CHECK_USED, "  %v = const 0 : u8\n  check.used %v format \"a condition\"\n"},
    {OP_STORE, "  store %m, %r[:, :]\n  %t = const true : bool[4]\n  %o = const 0 : f32[4]\n"
               "  store %o, %r[:, %i0] mask %t\n"},
    {OP_VIEW, "  %x = view %r[%i0 : 2, 1 : 5] : vmem f32[2,5]\n"
              "  %y = view %x[0, 4] : vmem f32\n  %z = load %y[] : f32\n"},
    {OP_PART, "  %x = part %r, %i0 : vmem f32[2,6]\n  %y = part %x, %x, %i0 : vmem f32[2,6]\n"},
    {OP_REF_RESHAPE, "  %x = ref_reshape %r : vmem f32[24]\n"},
    {OP_REF_BITCAST, "  %x = ref_bitcast %r : vmem bf16[8,6]\n"},
    {OP_COPY, "  copy %r, %r\n"},
    {OP_COPY_START,
     "  copy.start %r, %r, %sem0\n  copy.start %r, %r, %sem0, %sem0, %i0, %i0 target rdc\n"
     "  copy.start %r, %r, %sem0 add\n"},
    {OP_SEM_SIGNAL, "  sem.signal %sem0, %i0\n  sem.signal %sem0, %i0, %i0 target c\n"},
    {OP_SEM_WAIT, "  sem.wait %sem0, %i0\n  sem.wait %sem0, %i0 keep\n"},
    {OP_SEM_READ, "  %x = sem.read %sem0 : i32\n"},
    {OP_FETCH_ADD, "  %x = alloc \"n\" per_core : smem i32\n  %y = fetch.add %x, %i0, %i0 : i32\n"},
    {OP_SEM_BARRIER, "  %x = sem.barrier collective_id 3 : sem barrier\n"},
    {OP_MEET, "  meet\n"},
    {OP_PUBLISH, "  publish %r\n"},
    {OP_RESULT_READ, "  %x = result.read %r : bool\n"},
    {OP_SEM_PASS, "  %x = alloc \"n\" : hbm i32\n  sem.pass %sem0, %x, %i0\n"},
    {OP_SEM_TAKE, "  %x = alloc \"n\" : hbm i32\n  sem.take %sem0, %x, %i0\n"},
    {OP_CORES, "  cores \"k\" meshes \"tensor core:2; vector core:4 subcore:16\" (%k) {\n"
               "    copy %r, %r\n  } and (%c, %s1) {\n  }\n"},
    {OP_COPY_WAIT, "  copy.wait %sem0, %r\n"},
    {OP_YIELD, "  %x = if %p0 : f32 {\n    yield %f0\n  } else {\n    yield %f0\n  }\n"},
    {OP_FOR, "  for %k = %i0 to %i0 step %i0 {\n    store %m, %r[:, :]\n  }\n"
             "  %x, %y = for %l = %i0 to %i0 step %i0 carry (%a = %f : f32[2], %c = %i0 : i32) "
             "parallel unroll 4 {\n    yield %a, %l\n  }\n"},
    {OP_WHILE, "  %x = while (%a = %f : f32[2]) {\n    yield %p0\n  } do (%c) {\n"
               "    %d = neg %c : f32[2]\n    yield %d\n  }\n"},
    {OP_WHILE, "  while () {\n    yield %p0\n  } do () {\n    copy %r, %r\n  }\n"},
    {OP_IF, "  if %p0 {\n    copy %r, %r\n  }\n  if %p0 {\n  } else {\n    copy %r, %r\n  }\n"
            "  %x, %y = if %p0 : (f32[2], i32) {\n    yield %f, %i0\n  } else {\n"
            "    yield %f, %i0\n  }\n"},
    {OP_SWITCH, "  %x = switch %i0 : f32 case {\n    yield %f0\n  } case {\n"
                "    %y = neg %f0 : f32\n    yield %y\n  } case {\n    yield %f0\n  }\n"},
    {OP_LAUNCH,
     "  launch \"k\" grid [4, %i0, 1, 2] {parallel, arbitrary, core_parallel, subcore_parallel} "
     "grid_names [\"a\", \"b\", \"\", \"c, d\"] vmem_limit 1000000 collective_id 7 {\n"
     "    prefetch %sp: smem i32[8] of %s\n"
     "    block %x: vmem f32[2,3] of %r at (%g, 0) buffers 2\n"
     "    block %y: vmem f32[3] to %r shape [squeezed, 3] at (%h, -1) buffers 1 revisit_any\n"
     "    block %z: vmem f32[2,3] inout %r shape [element 2 pad 1 0, bounded 3] at (%a0, %a1, "
     "%a2, %a3, %a4) {\n"
     "      %a5 = load %a4[%a0] : i32\n"
     "      yield %a5, %a1, %a5\n"
     "    } buffers 3 lookahead name \"z_ref\"\n"
     "    block %w: vmem f32[4,6] of %r whole\n"
     "    block %v: vmem f32[4,6] of %r in_place at (0, 0) buffers 2\n"
     "    scratch %acc: vmem f32[8,128]\n"
     "    scratch %semaphore: sem barrier\n"
     "  } body (%g, %h, %k, %l, %sp, %x, %y, %z, %w, %v, %acc, %semaphore) {\n"
     "    %o = load %x[:, :] : f32[2,3]\n"
     "    store %o, %z[:, :]\n"
     "  }\n"},
    {OP_LAUNCH, "  launch \"\" grid [] {\n  } body () {\n    copy %r, %r\n  }\n"},
    {OP_FUSE, "  %x = fuse axes [2] : f32[2] {\n    %y = neg %f : f32[2]\n    yield %y\n  }\n"},
    {OP_DEBUG_PRINT, "  debug_print %f0, %m format \"{} and {}\"\n  debug_print\n"},
    {OP_STEP_ENTER,
     "  step.enter %i0, %i0 name \"kernel\" grid_names [\"i\", \"j\"]\n  step.enter\n"},
    {OP_STEP_LEAVE, "  step.leave\n"},
    {OP_TURN, "  turn %i0 stage next\n"},
    {OP_CHECK_WRITTEN, "  check.written %r name \"o_ref\"\n"},
    {OP_PARALLEL_WRITE, "  parallel.write %r, %r, %i0 name \"o_ref\" direct\n"},
    {OP_PARALLEL_READ, "  parallel.read %r, %i0 name \"x_ref\"\n"},
    {OP_ENTER, "  enter %r\n"},
    {OP_RELEASE, "  release %r\n"},
    {OP_DIES, "  dies %r\n"},
    {OP_OVER, "  over %r\n"},
    {OP_BEGIN, "  begin %r\n"},
    {OP_FETCH_AHEAD, "  fetch.ahead %r, %sem0 name \"x_ref\" buffers 3 ahead 2\n"},
    {OP_WRITE_BEHIND, "  write.behind %r, %sem0 name \"o_ref\" buffers 2\n"},
    {OP_COPY_INDEX, "  copy.index %r\n"},
    {OP_PARALLEL_STEP, "  parallel.step %i0, %sem0\n"},
    {OP_PARALLEL_END, "  parallel.end %sem0\n"},
    {OP_CHECK, "  check %p0, %i0 format \"i is {}\"\n"},
};

// The sample of an op whose shape follows from its class.
static bool generic_sample(OpCode code, char *out, size_t size) {
  const OpInfo *info = op_info(code);
  const char *name = info->name;
  bool is_int = code == OP_NOT || code == OP_POPCOUNT || code == OP_CLZ || code == OP_AND ||
                code == OP_OR || code == OP_XOR || code == OP_SHL || code == OP_SHR ||
                code == OP_SHR_LOGICAL;
  const char *x = is_int ? "i" : "f", *type = is_int ? "i32" : "f32";
  switch (info->op_class) {
  case CLASS_UNARY: snprintf(out, size, "  %%x = %s %%%s : %s[2]\n", name, x, type); return true;
  case CLASS_BINARY:
    snprintf(out, size, "  %%x = %s %%%s, %%%s : %s[2]\n", name, x, x, type);
    return true;
  case CLASS_COMPARE: snprintf(out, size, "  %%x = %s %%f, %%f : bool[2]\n", name); return true;
  case CLASS_REDUCE:
    is_int = code == OP_REDUCE_AND || code == OP_REDUCE_OR || code == OP_REDUCE_XOR;
    snprintf(out, size, "  %%x = %s %%%s axes [0] : %s\n", name, is_int ? "i" : "f",
             is_int ? "i32" : "f32");
    return true;
  case CLASS_CUMULATIVE:
    snprintf(out, size,
             "  %%x = %s %%m dim 0 reverse : f32[4,6]\n  %%y = %s %%m dim 1 : f32[4,6]\n", name,
             name);
    return true;
  default: return false;
  }
}

static void round_trip(const char *text) {
  Session *session = session_new(0);
  Str whole = str_format(session->arena, "module tpu v5p devices 1\n\nfunc @f() {\n%s%s}\n",
                         preamble, text);
  Str printed = read_and_print(session, whole);
  ck_assert_msg(str_equal(printed, whole), "printed:\n%.*swanted:\n%.*s", STR_FMT(printed),
                STR_FMT(whole));
  session_free(session);
}

START_TEST(every_op) {
  OpCode code = (OpCode)_i;
  // Never in text that is well-formed: tests/golden/ir/gather_batch.ir.
  if (code == OP_GATHER_BATCH) return;
  int count = 0;
  for (size_t i = 0; i < COUNT_OF(samples); i++) {
    if (samples[i].code != code) continue;
    round_trip(samples[i].text);
    count++;
  }
  char text[200];
  if (!count && generic_sample(code, text, sizeof text)) {
    round_trip(text);
    count++;
  }
  ck_assert_msg(count > 0, "no sample of '%s'", op_info(code)->name);
}
END_TEST

// ---- modules, functions, names -----------------------------------------------------------------
static const char *const modules[] = {
    "module tpu \"7x\" devices 16\n",
    "module tpu v5p devices 1\n\n"
    "func @f(%x: hbm f32[2], inout %y: hbm i8 \"params['w']\", out %out: hbm bf16[2,3] \"\", "
    "%0: hbm u4) \"f(x: f32[2]) -> bf16[2,3]\" {\n}\n\n"
    "func @\"a b\"() {\n  %0 = const 1 : i32\n  %1 = neg %0 : i32\n}\n",
};

START_TEST(whole_modules) {
  Session *session = session_new(0);
  Str text = str_from_c(modules[_i]);
  Str printed = read_and_print(session, text);
  ck_assert_msg(str_equal(printed, text), "printed:\n%.*s", STR_FMT(printed));
  session_free(session);
}
END_TEST

// Names that are no words, or not unique.
START_TEST(names_are_made_unique) {
  Session *session = session_new(0);
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  IrBuilder b = {.module = module, .region = func->body};
  static const char *const hints[] = {"x", "x", "x_1", "x", "a b", "1", "", "é", "x"};
  for (size_t i = 0; i < COUNT_OF(hints); i++)
    ir_i32(&b, 0)->name = name_intern_c(session->interner, hints[i]);
  ir_yield(&b, 0, NULL);
  Buf out;
  buf_init(&out, session->arena);
  ir_print(module, false, &out);
  Str printed = buf_view(&out);
  static const char *const names[] = {
      "%x = ", "%x_1 = ", "%x_1_1 = ", "%x_2 = ", "%a_b = ", "%_1 = ", "%0 = ", "%é = ", "%x_3 = "};
  const char *at = printed.data;
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    at = strstr(at, names[i]);
    ck_assert_msg(at != NULL, "no '%s' in\n%s", names[i], printed.data);
  }
  ck_assert(str_equal(read_and_print(session, printed), printed));
  session_free(session);
}
END_TEST

START_TEST(spans_are_comments) {
  Session *session = session_new(0);
  SourceFile *file = source_add(session, STR("a.pk"), STR("x = 1\ny = 2\n"), false);
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  IrBuilder b = {.module = module, .region = func->body, .span = {file->id, 8, 9}};
  ir_i32(&b, 7);
  ir_yield(&b, 0, NULL);
  Buf out;
  buf_init(&out, session->arena);
  ir_print(module, true, &out);
  ck_assert_ptr_nonnull(strstr(buf_view(&out).data, "  %0 = const 7 : i32  ; a.pk:2:3\n"));
  Buf again;
  buf_init(&again, session->arena);
  ir_print(module, false, &again);
  ck_assert(str_equal(read_and_print(session, buf_view(&out)), buf_view(&again)));
  Buf op;
  buf_init(&op, session->arena);
  ir_print_op(func->body->first, &op);
  ck_assert_str_eq(buf_view(&op).data, "%0 = const 7 : i32");
  session_free(session);
}
END_TEST

// Every float of 16 bits, and a spread of those with 32, reads back.
START_TEST(floats_read_back) {
  static const DType dtypes[] = {DT_F16, DT_BF16, DT_F8E4M3FN, DT_F8E5M2, DT_F8E4M3B11FNUZ, DT_F32};
  DType dtype = dtypes[_i];
  Session *session = session_new(0);
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  IrBuilder b = {.module = module, .region = func->body};
  size_t size = dtype_size(dtype);
  int64_t count = size == 1 ? 256 : 65536;
  char *bytes = arena_alloc(session->arena, (size_t)count * size);
  uint32_t seed = 1;
  for (int64_t i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    uint32_t bits = size == 4 ? seed : (uint32_t)i;
    memcpy(bytes + (size_t)i * size, &bits, size);
  }
  ir_const(&b, ir_array_type(module, dtype, 1, &count), bytes, count);
  ir_yield(&b, 0, NULL);
  Buf out;
  buf_init(&out, session->arena);
  ir_print(module, false, &out);
  IrModule *again = ir_read(session, source_add(session, STR("t"), buf_view(&out), false));
  ck_assert_ptr_nonnull(again);
  const IrData *data = ir_attr_data(again->first->body->first, ATTR_DATA);
  ck_assert_int_eq(memcmp(data->bytes, bytes, (size_t)count * size), 0);
  session_free(session);
}
END_TEST

// The least and the most of each integer type read back, what is next to them is refused.
START_TEST(integers_have_limits) {
  static const struct {
    const char *type, *least, *most, *below, *above;
  } limits[] = {
      {"i4", "-8", "7", "-9", "8"},
      {"u4", "0", "15", "-1", "16"},
      {"i8", "-128", "127", "-129", "128"},
      {"u8", "0", "255", "-1", "256"},
      {"i16", "-32768", "32767", "-32769", "32768"},
      {"u16", "0", "65535", "-1", "65536"},
      {"i32", "-2147483648", "2147483647", "-2147483649", "2147483648"},
      {"u32", "0", "4294967295", "-1", "4294967296"},
      {"i64", "-9223372036854775808", "9223372036854775807", "-9223372036854775809",
       "9223372036854775808"},
      {"u64", "0", "18446744073709551615", "-1", "18446744073709551616"},
      // Ten times the digits before wrap to a number that is allowed.
      {"u64", "9", "1844674407370955161", "-18446744073709551617", "18446744073709551620"},
      {"i64", "-9", "922337203685477580", "-184467440737095516170", "184467440737095516170"},
      {"bool", "false", "true", "0", "1"},
  };
  for (size_t i = 0; i < COUNT_OF(limits); i++) {
    const char *const numbers[] = {limits[i].least, limits[i].most, limits[i].below,
                                   limits[i].above};
    for (size_t k = 0; k < COUNT_OF(numbers); k++) {
      Session *session = session_new(0);
      Str text = str_format(session->arena,
                            "module tpu v5p devices 1\n\nfunc @f() {\n  %%x = const %s : "
                            "%s\n}\n",
                            numbers[k], limits[i].type);
      if (k < 2) {
        ck_assert_str_eq(read_and_print(session, text).data, text.data);
      } else {
        ck_assert_msg(!ir_read(session, source_add(session, STR("t"), text, false)), "%s",
                      text.data);
        Str want =
            str_format(session->arena, "expected %s, found '%s'", limits[i].type, numbers[k]);
        ck_assert_str_eq(session->first_diag->message.data, want.data);
      }
      session_free(session);
    }
  }
}
END_TEST

// Of every byte but 0.
START_TEST(names_of_any_bytes_read_back) {
  Session *session = session_new(0);
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  IrBuilder b = {.module = module, .region = func->body};
  char bytes[255];
  for (int i = 0; i < 255; i++) bytes[i] = (char)(i + 1);
  Str name = {bytes, sizeof bytes};
  ir_alloc(&b, ir_ref_type(module, SPACE_VMEM, DT_F32, 0, NULL), name);
  ir_yield(&b, 0, NULL);
  Buf out;
  buf_init(&out, session->arena);
  ir_print(module, false, &out);
  IrModule *again = ir_read(session, source_add(session, STR("t"), buf_view(&out), false));
  ck_assert_ptr_nonnull(again);
  const IrAttr *attr = ir_attr_find(again->first->body->first, ATTR_NAME);
  ck_assert_uint_eq(attr->str.len, sizeof bytes);
  ck_assert_mem_eq(attr->str.data, bytes, sizeof bytes);
  session_free(session);
}
END_TEST

// ---- what is refused ---------------------------------------------------------------------------
typedef struct Refusal {
  const char *text; // of a function's body, or of the whole file if it starts with "!"
  const char *message;
  uint32_t line, column;
} Refusal;

static const Refusal refusals[] = {
    {"!", "expected 'module', found the end of the file", 1, 1},
    {"!module tpu v5p devices x", "expected a 64-bit integer, found 'x'", 1, 24},
    {"!module tpu v5p devices 99999999999", "number out of range", 1, 24},
    {"!module tpu v5p devices 1 func f", "expected '@', found 'f'", 1, 31},
    {"!module tpu v5p devices 1 func @f() {", "expected an operation, found the end of the file", 1,
     37},
    {"!module tpu v5p devices 1 func @f() {} func @f() {}", "function 'f' is defined twice", 1, 45},
    {"!module tpu v5p devices 1 func @f(%x: vmem f32) {}", "in @f: parameter 0 is no ref in hbm", 1,
     32},
    {"  %x = frob : f32\n", "unknown operation 'frob'", 4, 8},
    {"  %x = neg %y : f32\n", "unknown value '%y'", 4, 12},
    {"  %x = const 1 : f32\n  %x = const 1 : f32\n", "value '%x' is defined twice", 5, 3},
    {"  %x = const 1.5 : i32\n", "expected i32, found '1.5'", 4, 14},
    {"  %x = const 128 : i8\n", "expected i8, found '128'", 4, 14},
    {"  %x = const {1, 2 : i32[2]\n", "expected '}', found ':'", 4, 20},
    {"  %x = const 1 : f33\n", "expected an element type, found 'f33'", 4, 18},
    {"  %x = const 1 : f32[99999999999,99999999999]\n", "the type is too large", 4, 18},
    {"  %x = const 1 : f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]\n", "more than 16 dimensions", 4, 54},
    {"  %x = const 1 : f32[-1]\n", "a dimension is negative", 4, 22},
    {"  %x = iota : i32[2]\n", "'iota' needs the attribute 'dim'", 4, 8},
    {"  %x = iota dim 0 dim 0 : i32[2]\n", "attribute 'dim' is given twice", 4, 19},
    {"  %x = iota axis 0 : i32[2]\n", "'iota' has no attribute 'axis'", 4, 13},
    {"  turn stage begin\n", "'stage' cannot be 'begin'", 4, 14},
    {"  %a = const 0 : f32[2]\n  %x = dot %a, %a lhs_contract [0] rhs_contract [0] : f32\n",
     "'dot' needs the attribute 'precision'", 5, 8},
    {"  turn\n", "'turn' needs the attribute 'stage'", 4, 3},
    {"  %x, %y = iota dim 0 : i32[2]\n", "2 results are named, but there is 1", 4, 12},
    {"  iota dim 0\n", "in @f: 'iota dim 0': it has 1 results, not 0", 4, 3},
    {"  %x = alloc \"abc : f32\n", "expected ':'", 4, 14},
    {"  %x = alloc \"\\q\" : vmem f32\n", "unknown escape in a text", 4, 14},
    {"  %x = alloc : sem f32\n", "expected 'dma', 'regular' or 'barrier', found 'f32'", 4, 20},
    {"  $\n", "expected an operation", 4, 3},
    {"  launch \"k\" grid [2] {often} {} body (%i) {}\n", "'semantics' cannot be 'often'", 4, 24},
    {"  cores \"k\" meshes \"tensor core\" (%i) {}\n",
     "'tensor core' names no meshes of cores, such as 'tensor core:2'", 4, 20},
    {"  cores \"k\" meshes \"tensor core:2; \" (%i) {}\n",
     "'tensor core:2; ' names no meshes of cores, such as 'tensor core:2'", 4, 20},
    {"  cores \"k\" meshes \"often core:2\" (%i) {}\n",
     "'often core:2' names no meshes of cores, such as 'tensor core:2'", 4, 20},
    {"  launch \"k\" grid [-2] {parallel} {} body (%i) {}\n", "a grid size is negative", 4, 20},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} { block %x: vmem f32[4] of %a "
     "at (%j) "
     "buffers 2 } body (%i, %x) {}\n",
     "'%j' is not an index of the grid", 5, 68},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} { block %x: vmem f32[4] of %a "
     "at (%i) "
     "buffers 2 } body (%x, %i) {}\n",
     "value '%x' is defined twice", 5, 90},
    // What is expected at each place.
    {"  %x = neg 5 : f32\n", "expected ':', found '5'", 4, 12},
    {"  = neg %y : f32\n", "expected an operation, found '='", 4, 3},
    {"  %a = const 1 : f32\n  %x = neg (%a) : f32\n", "expected ':', found '('", 5, 12},
    {"  %p = const true : bool\n  if %p {\n  } else\n", "expected '{', found '}'", 7, 1},
    {"  %i = const 1 : i32\n  switch %i case {\n  } else {\n  }\n", "unknown operation 'else'", 6,
     5},
    {"  %i = const 1 : i32\n  switch %i {\n  }\n", "expected 'case', found '{'", 5, 13},
    {"  cores k meshes \"tensor core:2\" (%i) {}\n", "expected the name of the program, found 'k'",
     4, 9},
    {"  cores \"k\" meshes 5 (%i) {}\n", "expected a text in quotes, found '5'", 4, 20},
    {"  launch 5 grid [2] {parallel} {} body (%i) {}\n", "expected a text in quotes, found '5'", 4,
     10},
    {"  launch \"k\" grid [x] {parallel} {} body (%i) {}\n", "expected a 64-bit integer, found 'x'",
     4, 20},
    {"  launch \"k\" grid [2] {parallel} {\n    blok %x\n  } body (%i) {}\n",
     "expected '}', found 'blok'", 5, 5},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "off %a at (%i) buffers 2\n  } body (%i, %x) {}\n",
     "expected 'of', 'to' or 'inout', found 'off'", 6, 27},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "of %a at (%i, ) buffers 2\n  } body (%i, %x) {}\n",
     "expected a grid index or a number, found ')'", 6, 41},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "of %a at (1.5) buffers 2\n  } body (%i, %x) {}\n",
     "expected an i32", 6, 37},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "of %a at (99999999999) buffers 2\n  } body (%i, %x) {}\n",
     "expected an i32", 6, 37},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "of %a at (%j, %k) {\n      yield %j\n    } buffers 2\n  } body (%i, %x) {}\n",
     "the index map takes 1 arguments, 2 are named", 6, 45},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "of %a at (%i) buffers 2\n  } body (%x, %i) {}\n",
     "value '%x' is defined twice", 7, 11},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "of %a at (%i) buffers 2\n    scratch %s: vmem f32\n  } body (%i, %s, %x) {}\n",
     "the body's arguments are named in another order than above", 8, 15},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "of %a shape [often] at (%i) buffers 2\n  } body (%i, %x) {}\n",
     "expected a 64-bit integer, found 'often'", 6, 40},
    {"  %a = alloc : hbm f32[8]\n  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[4] "
     "of %a at (%i) buffers 99999999999\n  } body (%i, %x) {}\n",
     "number out of range", 6, 49},
    {"  %a = alloc : vmem f32[8]\n  %x = load %a[0 : ] : f32[8]\n",
     "expected a 64-bit integer, found ']'", 5, 20},
    {"  %a = alloc : vmem f32[8]\n  %x = load %a[0 : 2 : ] : f32[2]\n",
     "expected a 64-bit integer, found ']'", 5, 24},
    {"  %a = alloc : vmem f32[8]\n  %x = load %a : f32[8]\n", "expected '[', found ':'", 5, 16},
    {"  %a = alloc : vmem f32[8]\n  %x = load %a[:] mask : f32[8]\n", "expected a value, found ':'",
     5, 24},
    {"  %z = const 0 : i32\n  for %k = %z to %z {\n  }\n", "expected 'step', found '{'", 5, 21},
    {"  %z = const 0 : i32\n  for %k = %z to %z step %z carry (%a) {\n  }\n",
     "expected '=', found ')'", 5, 38},
    {"  %z = const 0 : i32\n  for k = %z to %z step %z {\n  }\n",
     "expected a value's name, found 'k'", 5, 7},
    {"  while (%a) {\n  } do () {\n  }\n", "expected '=', found ')'", 4, 12},
    {"  while () {\n  } do (%c) {\n  }\n", "expected ')', found '%c'", 5, 9},
    {"  %p = const true : bool\n  while () {\n    yield %p\n  } do (%c, %d) {\n  }\n",
     "expected ')', found '%c'", 7, 9},
    {"  %x = fuse axes [2 : f32 {\n  }\n", "expected ']', found ':'", 4, 21},
    {"  %x = const 1 f32\n", "expected ':', found 'f32'", 4, 16},
    {"  %x = const : f32\n", "expected ':', found 'f32'", 4, 16},
    {"  %x = const \"a\" : f32\n", "expected f32, found '\"a\"'", 4, 14},
    {"  %x = iota dim one : i32[2]\n", "expected a 64-bit integer, found 'one'", 4, 17},
    {"  %x = iota dim 99999999999999999999 : i32[2]\n",
     "expected a 64-bit integer, found '99999999999999999999'", 4, 17},
    {"  %x = alloc : vmem\n", "expected an element type, found '}'", 5, 1},
    {"  %x = alloc : vmem f32[2\n", "expected ']', found '}'", 5, 1},
    {"  %x = alloc : vmem f32[a]\n", "expected a 64-bit integer, found 'a'", 4, 25},
    {"  %x = alloc 5 : vmem f32\n", "expected ':', found '5'", 4, 14},
    {"  %a = const 1 : f32[2]\n  %x = transpose %a dims 0 : f32[2]\n", "expected '[', found '0'", 5,
     26},
    {"  %a = const 1 : f32[2]\n  %x = transpose %a dims [0 : f32[2]\n", "expected ']', found ':'",
     5, 29},
    {"  %i = const 1 : i32\n  turn %i stage 5\n", "expected a word, found '5'", 5, 17},
    {"  debug_print format 5\n", "expected a text in quotes, found '5'", 4, 22},
    {"  step.enter name \"k\" grid_names \"i\"\n", "expected '[', found '\"i\"'", 4, 34},
    {"  step.enter name \"k\" grid_names [i]\n", "expected a text in quotes, found 'i'", 4, 35},
    {"  %x = alloc : sem\n", "expected 'dma', 'regular' or 'barrier', found '}'", 5, 1},
    {"  %a = const 1 : f32[2]\n  %x = gather %a, %a sizes [1] mode clip fill x : f32[2]\n",
     "expected f32, found 'x'", 5, 47},
    {"!modul tpu v5p devices 1", "expected 'module', found 'modul'", 1, 1},
    {"!module v5p", "expected 'tpu', found 'v5p'", 1, 8},
    {"!module tpu 5 devices 1", "expected the name of a chip, found '5'", 1, 12},
    {"!module tpu v5p 1", "expected 'devices', found '1'", 1, 16},
    {"!module tpu v5p devices 1 fun @f() {}", "expected 'func', found 'fun'", 1, 26},
    {"!module tpu v5p devices 1 func @5() {}", "expected a function's name, found '5'", 1, 32},
    {"!module tpu v5p devices 1 func @f(x: hbm f32) {}", "expected a value's name, found 'x'", 1,
     34},
    {"!module tpu v5p devices 1 func @f(%x hbm f32) {}", "expected ':', found 'hbm'", 1, 37},
    {"!module tpu v5p devices 1 func @f(%x: hbm f32 {}", "expected ')', found '{'", 1, 46},
    {"!module tpu v5p devices 1 func @f(%x: hbm f32) family 5 {}", "expected '{', found 'family'",
     1, 47},
    {"!module tpu v5p devices 1 func @f(%x: hbm f32) of {}", "expected '{', found 'of'", 1, 47},
    {"!module tpu v5p devices 1 func @f() { yield } x", "expected 'func', found 'x'", 1, 46},
};

START_TEST(refused) {
  const Refusal *refusal = &refusals[_i];
  Session *session = session_new(0);
  Str text = refusal->text[0] == '!'
                 ? str_from_c(refusal->text + 1)
                 : str_format(session->arena, "module tpu v5p devices 1\n\nfunc @f() {\n%s}\n",
                              refusal->text);
  IrModule *module = ir_read(session, source_add(session, STR("test.ir"), text, false));
  ck_assert_ptr_null(module);
  ck_assert_uint_eq(session->error_count, 1);
  const Diag *diag = session->first_diag;
  ck_assert_msg(str_starts_with(diag->message, str_from_c(refusal->message)), "'%.*s'",
                STR_FMT(diag->message));
  LineCol at = source_line_col(source_get(session, diag->span.file), diag->span.begin);
  ck_assert_msg(at.line == refusal->line && at.column == refusal->column, "at %u:%u", at.line,
                at.column);
  session_free(session);
}
END_TEST

START_TEST(deep_nesting_is_refused) {
  Session *session = session_new(0);
  Buf text;
  buf_init(&text, session->arena);
  buf_c(&text, "module tpu v5p devices 1 func @f() { %p = const true : bool ");
  for (int i = 0; i < 100000; i++) buf_c(&text, "if %p {");
  ck_assert_ptr_null(ir_read(session, source_add(session, STR("t"), buf_view(&text), false)));
  ck_assert_str_eq(session->first_diag->message.data, "regions are nested more than 100 deep");
  session_free(session);
}
END_TEST

// Every prefix of a text and every text with a byte changed is read or refused.
START_TEST(broken_texts_do_not_crash) {
  Session *session = session_new(0);
  Str whole = str_format(session->arena, "module tpu v5p devices 1\n\nfunc @f() {\n%s%s}\n",
                         preamble, samples[_i].text);
  for (size_t i = 0; i < whole.len; i++) {
    IrModule *module = ir_read(session, source_add(session, STR("t"), (Str){whole.data, i}, false));
    ir_module_free(module);
  }
  static const char others[] = "%}{]0 :-\"";
  for (size_t i = strlen(preamble); i < whole.len; i++) {
    Str changed = str_copy(session->arena, whole);
    ((char *)changed.data)[i] = others[i % (sizeof others - 1)];
    ir_module_free(ir_read(session, source_add(session, STR("t"), changed, false)));
  }
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ir_text");
  TCase *tc = tcase_create("ir_text");
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, every_op, 0, OP_COUNT);
  tcase_add_loop_test(tc, whole_modules, 0, COUNT_OF(modules));
  tcase_add_test(tc, names_are_made_unique);
  tcase_add_test(tc, spans_are_comments);
  tcase_add_loop_test(tc, floats_read_back, 0, 6);
  tcase_add_test(tc, integers_have_limits);
  tcase_add_test(tc, names_of_any_bytes_read_back);
  tcase_add_loop_test(tc, refused, 0, COUNT_OF(refusals));
  tcase_add_test(tc, deep_nesting_is_refused);
  tcase_add_loop_test(tc, broken_texts_do_not_crash, 0, COUNT_OF(samples));
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
