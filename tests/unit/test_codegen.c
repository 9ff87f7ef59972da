// SPDX-License-Identifier: Apache-2.0
// Compiled code against the interpreter: every operation in every element type and several shapes,
// on several targets, clustered and not.
#include <stdlib.h>
#include "base/buf.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "codegen/codegen.h"
#include "ir_interpreter.h"
#include "passes/pass.h"
#include "prt.h"
#include "suite.h"

enum { MAX_PARAMS = 8 };

static const char *const targets[] = {"native", "x86-64-v3", "x86-64"};

// ---- running a module ---------------------------------------------------------------------------
typedef struct Case {
  const char *text; // of a function @f; a module holds many, each under its number: @f0, @f1, …
  Tolerance tolerance;
  bool wild; // inputs with infinities, NaN, ends of ranges
} Case;

typedef struct Cases {
  const Case *items;
  size_t count;
  bool fused; // also after the fuse pass
} Cases;

static IrModule *read_module(Session *session, const char *text) {
  IrModule *module = ir_read(session, source_add(session, STR("case.ir"), str_from_c(text), false));
  diag_flush(session);
  ck_assert_msg(module != NULL, "not read: %s", text);
  return module;
}

static const char function_start[] = "func @f";

static IrModule *module_of(Session *session, const Cases *cases) {
  Buf b;
  buf_init(&b, session->arena);
  buf_c(&b, "module tpu v5p devices 1\n");
  for (size_t i = 0; i < cases->count; i++) {
    ck_assert(strncmp(cases->items[i].text, function_start, strlen(function_start)) == 0);
    buf_printf(&b, "%s%zu%s\n", function_start, i, cases->items[i].text + strlen(function_start));
  }
  return read_module(session, str_copy(session->arena, buf_view(&b)).data);
}

static void fuse(Session *session, IrModule *module) {
  PassOptions options = {.opt_level = 2, .stop_after = PASS_COUNT, .verify = true};
  ck_assert(pass_run_one(session, module, &options, PASS_FUSE));
}

typedef struct Memory {
  char *items[MAX_PARAMS];
  size_t bytes[MAX_PARAMS];
} Memory;

// Each parameter has guard bytes around it, and starts at its element's alignment and no better
// one.
enum { GUARD = 64 };

static Memory new_memory(Arena *arena, const IrFunc *func, uint64_t seed, bool wild) {
  Memory m = {0};
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrType *type = func->body->args[i]->type;
    size_t size = dtype_size(type->dtype);
    m.bytes[i] = (size_t)ir_type_bytes(type);
    char *block = arena_alloc(arena, m.bytes[i] + 2 * GUARD + size);
    memset(block, 0x5a, m.bytes[i] + 2 * GUARD + size);
    m.items[i] = block + GUARD + size;
    uint64_t state = seed * 977 + i;
    if (func->params[i].role != PARAM_OUT)
      interpret_fill(type->dtype, m.items[i], ir_type_count(type), &state, wild);
  }
  return m;
}

// (Check writes a message for each assertion made: the loops over bytes and elements assert nothing
// that holds.)
static void check_guards(const IrFunc *func, const Memory *m, const char *text) {
  for (uint32_t i = 0; i < func->param_count; i++) {
    for (size_t k = 0; k < GUARD; k++) {
      if (m->items[i][-(ptrdiff_t)k - 1] != 0x5a)
        ck_abort_msg("wrote before parameter %u: %s", i, text);
      if (m->items[i][m->bytes[i] + k] != 0x5a)
        ck_abort_msg("wrote behind parameter %u: %s", i, text);
    }
  }
}

static double scale_of(DType dtype, const char *memory, int64_t count) {
  double scale = 0;
  for (int64_t i = 0; i < count && dtype_is_float(dtype); i++) {
    double x = fabs(dtype_load_f64(dtype, memory + (size_t)i * dtype_size(dtype)));
    if (x > scale && !isinf(x)) scale = x;
  }
  return scale;
}

static void compare(const IrFunc *func, const Case *c, const Memory *expected, const Memory *got,
                    const char *target, bool fused) {
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrType *type = func->body->args[i]->type;
    size_t size = dtype_size(type->dtype);
    int64_t count = ir_type_count(type);
    double scale = c->tolerance.relative > 0 ? scale_of(type->dtype, expected->items[i], count) : 0;
    for (int64_t k = 0; k < count; k++) {
      const char *a = expected->items[i] + (size_t)k * size, *b = got->items[i] + (size_t)k * size;
      if (!interpret_close(type->dtype, a, b, c->tolerance, scale))
        ck_abort_msg("%s%s, parameter %u, element %lld: %.9g instead of %.9g in\n%s", target,
                     fused ? " fused" : "", i, (long long)k, dtype_load_f64(type->dtype, b),
                     dtype_load_f64(type->dtype, a), c->text);
    }
  }
}

// What the interpreter finds in every case's parameters.
static Memory *interpret_cases(Session *session, const Cases *cases) {
  IrModule *module = module_of(session, cases);
  Memory *expected = arena_alloc(session->arena, cases->count * sizeof(Memory)), *at = expected;
  void *arguments[MAX_PARAMS];
  for (IrFunc *func = module->first; func; func = func->next, at++) {
    *at = new_memory(session->arena, func, 1, cases->items[at - expected].wild);
    for (int i = 0; i < MAX_PARAMS; i++) arguments[i] = at->items[i];
    interpret_func(session->arena, func, arguments);
  }
  ck_assert_int_eq(at - expected, (int)cases->count);
  ir_module_free(module);
  return expected;
}

static void run_on(Session *session, Jit *jit, const Cases *cases, const Memory *expected,
                   const char *target, bool fused) {
  IrModule *module = module_of(session, cases);
  if (fused) fuse(session, module);
  JitModule *code = jit_add(jit, module);
  diag_flush(session);
  ck_assert_ptr_nonnull(code);
  void *arguments[MAX_PARAMS];
  size_t k = 0;
  for (IrFunc *func = module->first; func; func = func->next, k++) {
    const Case *c = &cases->items[k];
    Memory got = new_memory(session->arena, func, 1, c->wild);
    for (int i = 0; i < MAX_PARAMS; i++) arguments[i] = got.items[i];
    int status = jit_run(jit, code, name_str(func->name), NULL, arguments);
    ck_assert_msg(status == 0, "%s", prt_error_message());
    check_guards(func, &got, c->text);
    compare(func, c, &expected[k], &got, target, fused);
  }
  jit_remove(jit, code);
  ir_module_free(module);
}

static void run_with(Session *session, const Cases *cases, const Memory *expected,
                     const CodegenOptions *options, const char *name, bool fused) {
  Jit *jit = jit_new(session, options);
  ck_assert_ptr_nonnull(jit);
  for (int f = 0; f <= (int)fused; f++) run_on(session, jit, cases, expected, name, f);
  jit_free(jit);
}

// On each target, and with every check on, which finds nothing.
static int run_cases(Session *session, void *data) {
  const Cases *cases = data;
  const Memory *expected = interpret_cases(session, cases);
  size_t modes = cases->fused ? 2 : 1;
  CodegenOptions options = {.opt_level = 1, .verify = true};
  for (size_t t = 0; t < modes * COUNT_OF(targets); t++) {
    options.target_cpu = str_from_c(targets[t / modes]);
    options.eager = t % modes;
    run_with(session, cases, expected, &options, targets[t / modes], cases->fused);
  }
  options = (CodegenOptions){.opt_level = 1, .verify = true, .check = true};
  run_with(session, cases, expected, &options, "checked", false);
  return 0;
}

static void check_cases(const Case *items, size_t count, bool fused) {
  Session *session = session_new(0);
  Cases cases = {items, count, fused};
  ck_assert_int_eq(session_run(session, run_cases, &cases), 0);
  session_free(session);
}

// ---- elementwise ops in every type --------------------------------------------------------------
static const DType all_types[] = {
    DT_BOOL, DT_I2,  DT_U2,  DT_I4,  DT_I8,       DT_I16,    DT_I32,
    DT_U4,   DT_U8,  DT_U16, DT_U32, DT_F8E4M3FN, DT_F8E5M2, DT_F8E4M3B11FNUZ,
    DT_BF16, DT_F16, DT_F32};

static bool op_takes(OpCode code, DType dtype) {
  bool is_float = dtype_is_float(dtype), is_bool = dtype == DT_BOOL;
  switch (code) {
  case OP_NEG:
  case OP_ABS:
  case OP_SIGN:
  case OP_SUB:
  case OP_DIV:
  case OP_REM:
  case OP_FLOORDIV:
  case OP_MOD: return !is_bool;
  case OP_ADD:
  case OP_MUL:
  case OP_EQ:
  case OP_NE:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE: return true;
  case OP_MAX:
  case OP_MIN: return true;
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_XOR: return !is_float;
  case OP_POPCOUNT:
  case OP_CLZ:
  case OP_SHL:
  case OP_SHR:
  case OP_SHR_LOGICAL: return !is_float && !is_bool;
  case OP_IS_FINITE: return is_float;
  case OP_NEXTAFTER: return dtype == DT_F32 || dtype == DT_BF16 || dtype == DT_F16;
  default: return is_float;
  }
}

static double op_ulps(OpCode code, DType dtype) {
  if (code == OP_REM || code == OP_MOD) return 0.25; // exact, but for subnormal numbers
  bool is_exact = !((code >= OP_EXP && code <= OP_LOG2) || (code >= OP_CBRT && code <= OP_LGAMMA) ||
                    code == OP_POW || code == OP_ATAN2 || code == OP_RSQRT);
  return is_exact ? 0 : dtype == DT_F32 ? 3 : 1;
}

static const char *shape_text(int shape) {
  static const char *const shapes[] = {"[37]", "[3,5]", "[]", "[2,1,16]"};
  return shapes[shape % (int)COUNT_OF(shapes)];
}

static Str elementwise_text(Arena *arena, OpCode code, DType dtype, const char *shape) {
  const OpInfo *info = op_info(code);
  const char *t = dtype_short_name(dtype),
             *r = info->op_class == CLASS_COMPARE || code == OP_IS_FINITE ? "bool" : t;
  Buf b;
  buf_init(&b, arena);
  buf_c(&b, "func @f(");
  for (int i = 0; i < info->operands; i++) buf_printf(&b, "%%x%d: hbm %s%s, ", i, t, shape);
  buf_printf(&b, "out %%o: hbm %s%s) {\n", r, shape);
  const char *all = shape[1] == ']' ? "[]"
                    : strchr(shape, ',')
                        ? strchr(strchr(shape, ',') + 1, ',') ? "[:, :, :]" : "[:, :]"
                        : "[:]";
  for (int i = 0; i < info->operands; i++)
    buf_printf(&b, "  %%v%d = load %%x%d%s : %s%s\n", i, i, all, t, shape);
  buf_printf(&b, "  %%r = %s %%v0%s : %s%s\n  store %%r, %%o%s\n}\n", info->name,
             info->operands == 2 ? ", %v1" : "", r, shape, all);
  Str text = buf_view(&b);
  // A type without dimensions has no brackets.
  if (shape[1] != ']') return str_copy(arena, text);
  Buf out;
  buf_init(&out, arena);
  for (size_t i = 0; i < text.len; i++) {
    bool is_index =
        text.data[i] == '[' && i > 1 && text.data[i + 1] == ']' &&
        (text.data[i - 1] == 'o' ||
         (text.data[i - 1] >= '0' && text.data[i - 1] <= '9' && text.data[i - 2] == 'x'));
    if (text.data[i] == '[' && text.data[i + 1] == ']' && !is_index)
      i++;
    else
      buf_char(&out, text.data[i]);
  }
  return str_copy(arena, buf_view(&out));
}

START_TEST(elementwise) {
  OpCode code = (OpCode)_i;
  OpClass op_class = op_info(code)->op_class;
  bool applies = op_class == CLASS_UNARY || op_class == CLASS_BINARY || op_class == CLASS_COMPARE ||
                 code == OP_IS_FINITE;
  if (!applies || code == OP_REDUCE_PRECISION) return;
  Session *session = session_new(0);
  Case cases[COUNT_OF(all_types)];
  size_t count = 0;
  for (size_t k = 0; k < COUNT_OF(all_types); k++) {
    if (!op_takes(code, all_types[k])) continue;
    Str text = elementwise_text(session->arena, code, all_types[k], shape_text((int)k + _i));
    cases[count++] = (Case){text.data, {op_ulps(code, all_types[k]), 0}, true};
  }
  check_cases(cases, count, false);
  session_free(session);
}
END_TEST

START_TEST(conversions) {
  Session *session = session_new(0);
  Case cases[2 * COUNT_OF(all_types)];
  size_t count = 0;
  DType from = all_types[_i];
  for (size_t k = 0; k < COUNT_OF(all_types); k++) {
    const char *f = dtype_short_name(from), *t = dtype_short_name(all_types[k]);
    Str text =
        str_format(session->arena,
                   "func @f(%%x: hbm %s[85], out %%o: hbm %s[85]) {\n  %%v = load %%x[:] : %s[85]\n"
                   "  %%r = convert %%v : %s[85]\n  store %%r, %%o[:]\n}\n",
                   f, t, f, t);
    cases[count++] = (Case){text.data, {0, 0}, true};
    if (dtype_bits(from) != dtype_bits(all_types[k]) ||
        (from == DT_BOOL) != (all_types[k] == DT_BOOL))
      continue;
    text =
        str_format(session->arena,
                   "func @f(%%x: hbm %s[85], out %%o: hbm %s[85]) {\n  %%v = load %%x[:] : %s[85]\n"
                   "  %%r = bitcast %%v : %s[85]\n  store %%r, %%o[:]\n}\n",
                   f, t, f, t);
    cases[count++] = (Case){text.data, {0, 0}, true};
  }
  check_cases(cases, count, false);
  session_free(session);
}
END_TEST

// ---- everything else, by text -------------------------------------------------------------------
#include "codegen_cases.h"

START_TEST(texts) {
  Session *session = session_new(0);
  Case cases[COUNT_OF(text_cases)];
  for (size_t i = 0; i < COUNT_OF(text_cases); i++) {
    const TextCase *t = &text_cases[i];
    cases[i] = (Case){str_format(session->arena, "func @f(%s) {\n%s}\n", t->params, t->body).data,
                      t->tolerance, false};
  }
  check_cases(cases, COUNT_OF(text_cases), true);
  session_free(session);
}
END_TEST

// ---- what the code is made of -------------------------------------------------------------------
typedef struct Structure {
  const char *text, *has, *lacks; // the LLVM text has and lacks these
  const char *target;             // NULL: x86-64-v3
} Structure;

#define TWICE(text) text text

static const Structure structures[] = {
    // The 64th thing that a task starts is the sign of its word.
    {"func @f(%x: hbm f32[8,128], out %o: hbm f32[8,128]) {\n"
     "cores \"f\" meshes \"tensor core:2\" (%d) {\n%s = alloc \"send\" : sem dma\n"
     "%a = alloc \"a\" : vmem f32[8,128]\n%b = alloc \"b\" : vmem f32[8,128]\n" TWICE(
         TWICE(TWICE(TWICE(TWICE(TWICE("copy.start %a, %b, %s\ncopy.wait %s, %b\n")))))) "}\n}\n",
     ", -9223372036854775808", "fneg", NULL},
    // A large output is streamed, shared among threads, and nothing is kept on the way.
    {"func @f(%x: hbm f32[4096,4096], %y: hbm f32[4096,4096], out %o: hbm f32[4096,4096]) {\n"
     "%v = load %x[:, :] : f32[4096,4096]\n %w = load %y[:, :] : f32[4096,4096]\n %s = add %v, %w "
     ": f32[4096,4096]\n store %s, %o[:, :]\n}\n",
     "!nontemporal", "prt__alloc", NULL},
    {"func @f(%x: hbm f32[4096,4096], out %o: hbm f32[4096,4096]) {\n"
     "%v = load %x[:, :] : f32[4096,4096]\n %s = exp %v : f32[4096,4096]\n store %s, %o[:, :]\n}\n",
     "prt__parallel_for", "prt__alloc", NULL},
    // A small one is not.
    {"func @f(%x: hbm f32[8,128], %y: hbm f32[8,128], out %o: hbm f32[8,128]) {\n"
     "%v = load %x[:, :] : f32[8,128]\n %w = load %y[:, :] : f32[8,128]\n %s = add %v, %w : "
     "f32[8,128]\n store %s, %o[:, :]\n}\n",
     "fadd <8 x float>", "prt__parallel_for", NULL},
    // Many quotients by one number, of which a CPU makes few at a time, are products with its
    // inverse.
    {"func @f(%x: hbm f32[8,64], %y: hbm f32[8], out %o: hbm f32[8,64]) {\n"
     "%v = load %x[:, :] : f32[8,64]\n%w = load %y[:] : f32[8]\n%b = broadcast %w dims [0] : "
     "f32[8,64]\n"
     "%q = div %v, %b : f32[8,64]\nstore %q, %o[:, :]\n}\n",
     "@llvm.x86.avx512.mask.getmant.ps.512", "fdiv <8", "skylake-avx512"},
    {"func @f(%x: hbm f32[8,48], %y: hbm f32[8], out %o: hbm f32[8,48]) {\n"
     "%v = load %x[:, :] : f32[8,48]\n%w = load %y[:] : f32[8]\n%b = broadcast %w dims [0] : "
     "f32[8,48]\n"
     "%q = div %v, %b : f32[8,48]\nstore %q, %o[:, :]\n}\n",
     "fdiv <16 x float>", "getmant", "skylake-avx512"},
    {"func @f(%x: hbm f64[8,64], %y: hbm f64[8], out %o: hbm f64[8,64]) {\n"
     "%v = load %x[:, :] : f64[8,64]\n%w = load %y[:] : f64[8]\n%b = broadcast %w dims [0] : "
     "f64[8,64]\n"
     "%q = div %v, %b : f64[8,64]\nstore %q, %o[:, :]\n}\n",
     "fdiv <8 x double>", "getmant", "skylake-avx512"},
    {"func @f(%x: hbm f32[8,64], %y: hbm f32[8], out %o: hbm f32[8,64]) {\n"
     "%v = load %x[:, :] : f32[8,64]\n%w = load %y[:] : f32[8]\n%b = broadcast %w dims [0] : "
     "f32[8,64]\n"
     "%q = div %v, %b : f32[8,64]\nstore %q, %o[:, :]\n}\n",
     "fdiv <16 x float>", "getmant", "znver4"},
    {"func @f(%x: hbm f32[8,71], %y: hbm f32[8], out %o: hbm f32[8,71]) {\n"
     "%v = load %x[:, :] : f32[8,71]\n%w = load %y[:] : f32[8]\n%b = broadcast %w dims [0] : "
     "f32[8,71]\n"
     "%q = div %v, %b : f32[8,71]\nstore %q, %o[:, :]\n}\n",
     "@llvm.x86.avx512.mask.getmant.ps.512", "getmant.ps.128", "skylake-avx512"},
    // A division by a constant asks nothing, and one by -1, which may overflow, is none.
    {"func @f(%x: hbm i32[256], out %o: hbm i32[256]) {\n%v = load %x[:] : i32[256]\n"
     "%k = const 7 : i32[256]\n%q = div %v, %k : i32[256]\nstore %q, %o[:]\n}\n",
     "sdiv <8 x i32>", "select <8 x i1>", NULL},
    {"func @f(%x: hbm i32[256], out %o: hbm i32[256]) {\n%v = load %x[:] : i32[256]\n"
     "%k = const -1 : i32[256]\n%q = div %v, %k : i32[256]\nstore %q, %o[:]\n}\n",
     "sub <8 x i32> zeroinitializer", ", <i32 -1, i32 -1", NULL},
    // What is read again must be found in a cache.
    {"func @f(%x: hbm f32[4096,4096], out %o: hbm f32[4096,4096]) {\n"
     "%v = load %x[:, :] : f32[4096,4096]\n %s = neg %v : f32[4096,4096]\n store %s, %o[:, :]\n"
     "%w = load %o[:, :] : f32[4096,4096]\n %t = abs %w : f32[4096,4096]\n store %t, %o[:, :]\n}\n",
     "fneg", "!nontemporal", NULL},
    // A transpose moves vectors.
    {"func @f(%x: hbm f32[64,64], out %o: hbm f32[64,64]) {\n"
     "%v = load %x[:, :] : f32[64,64]\n %s = transpose %v dims [1, 0] : f32[64,64]\n store %s, "
     "%o[:, :]\n}\n",
     "shufflevector <8 x float>", "load float", NULL},
    // A product of four panels is shared among threads, in two parts of its rows; its panels are
    // packed one at a time.
    {"func @f(%x: hbm f32[256,256], %y: hbm f32[256,256], out %o: hbm f32[256,256]) {\n"
     "%v = load %x[:, :] : f32[256,256]\n %w = load %y[:, :] : f32[256,256]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[256,256]\n store %s, %o[:, :]\n}\n",
     "@prt__parallel_for(ptr %0, i64 8, i64 1,", "i64 262144", "x86-64-v4"},
    // Pairs of bf16 are multiplied where that is faster.
    {"func @f(%x: hbm bf16[64,64], %y: hbm bf16[64,64], out %o: hbm f32[64,64]) {\n"
     "%v = load %x[:, :] : bf16[64,64]\n %w = load %y[:, :] : bf16[64,64]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[64,64]\n store %s, %o[:, :]\n}\n",
     "dpbf16ps", "llvm.fma", "znver4"},
    {"func @f(%x: hbm bf16[64,64], %y: hbm bf16[64,64], out %o: hbm f32[64,64]) {\n"
     "%v = load %x[:, :] : bf16[64,64]\n %w = load %y[:, :] : bf16[64,64]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[64,64]\n store %s, %o[:, :]\n}\n",
     "llvm.x86.tdpbf16ps", "llvm.fma", "sapphirerapids"},
    {"func @f(%x: hbm bf16[64,520], %y: hbm bf16[520,64], out %o: hbm f32[64,64]) {\n"
     "%v = load %x[:, :] : bf16[64,520]\n %w = load %y[:, :] : bf16[520,64]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[64,64]\n store %s, %o[:, :]\n}\n",
     "llvm.x86.tdpbf16ps", "llvm.fma", "sapphirerapids"},
    {"func @f(%x: hbm bf16[64,64], %y: hbm bf16[64,64], out %o: hbm f32[64,64]) {\n"
     "%v = load %x[:, :] : bf16[64,64]\n %w = load %y[:, :] : bf16[64,64]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[64,64]\n store %s, %o[:, :]\n}\n",
     "llvm.fma", "dpbf16ps", "icelake-server"},
    // Bytes in tiles, if they are worth the configuration.
    {"func @f(%x: hbm u8[64,64], %y: hbm i8[64,64], out %o: hbm i32[64,64]) {\n"
     "%v = load %x[:, :] : u8[64,64]\n %w = load %y[:, :] : i8[64,64]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : i32[64,64]\n store %s, %o[:, :]\n}\n",
     "llvm.x86.tdpbusd", "vpdpbusd", "graniterapids"},
    {"func @f(%x: hbm u8[32,32], %y: hbm i8[32,32], out %o: hbm i32[32,32]) {\n"
     "%v = load %x[:, :] : u8[32,32]\n %w = load %y[:, :] : i8[32,32]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : i32[32,32]\n store %s, %o[:, :]\n}\n",
     "vpdpbusd", "llvm.x86.tdpb", "graniterapids"},
    // A few rows take a factor that lies along k as it lies: nothing is packed.
    {"func @f(%x: hbm f32[4,256], %y: hbm f32[64,256], out %o: hbm f32[4,64]) {\n"
     "%v = load %x[:, :] : f32[4,256]\n %w = load %y[:, :] : f32[64,256]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [1] precision default : f32[4,64]\n store %s, %o[:, :]\n}\n",
     "shufflevector <8 x float>", "%frame = alloca", NULL},
    // Few columns take registers of half the size.
    {"func @f(%x: hbm f32[64,64], %y: hbm f32[64,7], out %o: hbm f32[64,7]) {\n"
     "%v = load %x[:, :] : f32[64,64]\n %w = load %y[:, :] : f32[64,7]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[64,7]\n store %s, %o[:, :]\n}\n",
     "llvm.fma.v8f32", "llvm.fma.v16f32", "znver4"},
    // Of a long k they are rows of the product the other way around.
    {"func @f(%x: hbm f32[64,256], %y: hbm f32[256,7], out %o: hbm f32[64,7]) {\n"
     "%v = load %x[:, :] : f32[64,256]\n %w = load %y[:, :] : f32[256,7]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[64,7]\n store %s, %o[:, :]\n}\n",
     "llvm.fma.v16f32", "llvm.fma.v8f32", "znver4"},
    {"func @f(%x: hbm f32[512,4,64], %y: hbm f32[7,64,4], out %o: hbm f32[512,7]) {\n"
     "%v = load %x[:, :, :] : f32[512,4,64]\n %w = load %y[:, :, :] : f32[7,64,4]\n %s = dot %v, "
     "%w "
     "lhs_contract [1, 2] rhs_contract [2, 1] precision default : f32[512,7]\n store %s, %o[:, "
     ":]\n}\n",
     "llvm.fma.v16f32", "llvm.fma.v8f32", "znver4"},
    // Rows that are read once stay where they lie, and are fetched to the second level.
    {"func @f(%x: hbm f32[64,1024], %y: hbm f32[1024,8], out %o: hbm f32[64,8]) {\n"
     "%v = load %x[:, :] : f32[64,1024]\n %w = load %y[:, :] : f32[1024,8]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[64,8]\n store %s, %o[:, :]\n}\n",
     "i32 0, i32 2, i32 1)", "prt__alloc", NULL},
    // While a panel is packed, the next one's rows are fetched to the second level.
    {"func @f(%x: hbm f32[256,1024], %y: hbm f32[1024,1024], out %o: hbm f32[256,1024]) {\n"
     "%v = load %x[:, :] : f32[256,1024]\n %w = load %y[:, :] : f32[1024,1024]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[256,1024]\n store %s, %o[:, "
     ":]\n}\n",
     "i32 0, i32 2, i32 1)", "load <16 x float>", NULL},
    // What branches yield is made in the result's place.
    {"func @f(%p: hbm bool, %x: hbm f32[64,64], out %o: hbm f32[64,64], out %q: hbm f32[64,64]) {\n"
     "%c = load %p[] : bool\n %v = load %x[:, :] : f32[64,64]\n %r = if %c : f32[64,64] {\n %a = "
     "neg %v : f32[64,64]\n yield %a\n} else {\n"
     "%b = abs %v : f32[64,64]\n yield %b\n}\n store %r, %o[:, :]\n %n = neg %r : f32[64,64]\n "
     "store %n, %q[:, :]\n}\n",
     "fneg", "llvm.memcpy", NULL},
    // What is concatenated is made in its part.
    {"func @f(%x: hbm f32[64,64], out %o: hbm f32[128,64]) {\n"
     "%v = load %x[:, :] : f32[64,64]\n %a = neg %v : f32[64,64]\n %b = abs %v : f32[64,64]\n %c = "
     "concat %a, %b dim 0 : f32[128,64]\n"
     "%s = cumsum %c dim 0 : f32[128,64]\n %t = exp %s : f32[128,64]\n store %t, %o[:, :]\n}\n",
     "fneg", "llvm.memcpy", NULL},
    // A maximum of absolute values is that of their bits.
    {"func @f(%x: hbm f32[64,64], out %o: hbm f32[64]) {\n"
     "%v = load %x[:, :] : f32[64,64]\n %o1 = fuse : f32[64] {\n %a = abs %v : f32[64,64]\n"
     "%m = reduce_max %a axes [0] : f32[64]\n yield %m\n}\n store %o1, %o[:]\n}\n",
     "llvm.smax", "fcmp", NULL},
    // A thread's rows of a dense copy are one.
    {"func @f(%x: hbm f32[256,256], out %o: hbm f32[512,256]) {\n"
     "%v = load %x[:, :] : f32[256,256]\n %c = concat %v, %v dim 0 : f32[512,256]\n"
     "%s = cumsum %c dim 0 : f32[512,256]\n store %s, %o[:, :]\n}\n",
     "i64 %10, i1 false)", "i64 1024, i1 false)", NULL},
    // The end of a row is stored in pieces where there are no mask registers.
    {"func @f(%x: hbm f32[3,3], %y: hbm f32[3,3], out %o: hbm f32[3,3]) {\n"
     "%v = load %x[:, :] : f32[3,3]\n %w = load %y[:, :] : f32[3,3]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[3,3]\n store %s, %o[:, :]\n}\n",
     "store <2 x float>", "llvm.masked.store", NULL},
    // Where there are, too, if these are one or two: what they hold is read again soon.
    {"func @f(%x: hbm f32[3,3], %y: hbm f32[3,3], out %o: hbm f32[3,3]) {\n"
     "%v = load %x[:, :] : f32[3,3]\n %w = load %y[:, :] : f32[3,3]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[3,3]\n store %s, %o[:, :]\n}\n",
     "store <2 x float>", "llvm.masked.store", "x86-64-v4"},
    {"func @f(%x: hbm f32[7,7], %y: hbm f32[7,7], out %o: hbm f32[7,7]) {\n"
     "%v = load %x[:, :] : f32[7,7]\n %w = load %y[:, :] : f32[7,7]\n %s = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[7,7]\n store %s, %o[:, :]\n}\n",
     "llvm.masked.store", "store <2 x float>", "x86-64-v4"},
    // Windows that lie in the operand whatever the indices are need no mask.
    {"func @f(%x: hbm f32[16], %i: hbm i32[64,1], out %o: hbm f32[64]) {\n"
     "%v = load %x[:] : f32[16]\n %j = load %i[:, :] : i32[64,1]\n %c = const 16 : i32[64,1]\n"
     "%k = fuse : i32[64,1] {\n%m = mod %j, %c : i32[64,1]\nyield %m\n}\n"
     "%g = gather %v, %k collapsed_dims [0] index_map [0] sizes [1] mode fill fill 0 : f32[64]\n"
     "store %g, %o[:]\n}\n",
     "llvm.masked.gather", "smin", "sapphirerapids"},
    // Where gathers are slow these are loads of elements, and indices go from memory into
    // addresses.
    {"func @f(%x: hbm f32[16], %i: hbm i32[64,1], out %o: hbm f32[64]) {\n"
     "%v = load %x[:] : f32[16]\n %j = load %i[:, :] : i32[64,1]\n %c = const 16 : i32[64,1]\n"
     "%k = fuse : i32[64,1] {\n%m = mod %j, %c : i32[64,1]\nyield %m\n}\n"
     "%g = gather %v, %k collapsed_dims [0] index_map [0] sizes [1] mode fill fill 0 : f32[64]\n"
     "store %g, %o[:]\n}\n",
     "insertelement <8 x float>", "llvm.masked.gather", NULL},
    {"func @f(%x: hbm f32[256], %i: hbm i32[64,1], out %o: hbm f32[64]) {\n"
     "%v = load %x[:] : f32[256]\n %j = load %i[:, :] : i32[64,1]\n"
     "%g = gather %v, %j collapsed_dims [0] index_map [0] sizes [1] mode fill fill 0 : f32[64]\n"
     "store %g, %o[:]\n}\n",
     "select <16 x i1>", "llvm.masked.gather", "znver4"},
    {"func @f(%x: hbm f32[256], %i: hbm u8[64,1], out %o: hbm f32[64]) {\n"
     "%v = load %x[:] : f32[256]\n %j = load %i[:, :] : u8[64,1]\n"
     "%g = gather %v, %j collapsed_dims [0] index_map [0] sizes [1] mode fill fill 0 : f32[64]\n"
     "store %g, %o[:]\n}\n",
     "zext i8", "<16 x i32>", "znver4"},
    // Indices that the loops compute go by vectors into one instruction where that is quick, else
    // through memory; those that are loaded go into addresses as they are.
    {"func @f(%x: hbm f32[256], %i: hbm i32[64], out %o: hbm f32[64]) {\n"
     "%v = load %x[:] : f32[256]\n %j = load %i[:] : i32[64]\n %c = const 256 : i32[64]\n"
     "%m = mod %j, %c : i32[64]\n %g = lookup %v, %m index_map [0] : f32[64]\n"
     "%n = neg %g : f32[64]\n store %n, %o[:]\n}\n",
     "llvm.masked.gather", "insertelement <16 x float>", "sapphirerapids"},
    {"func @f(%x: hbm f32[256], %i: hbm i32[64], out %o: hbm f32[64]) {\n"
     "%v = load %x[:] : f32[256]\n %j = load %i[:] : i32[64]\n %c = const 256 : i32[64]\n"
     "%m = mod %j, %c : i32[64]\n %g = lookup %v, %m index_map [0] : f32[64]\n"
     "%n = neg %g : f32[64]\n store %n, %o[:]\n}\n",
     "store <16 x i32>", "llvm.masked.gather", "znver4"},
    {"func @f(%x: hbm f32[256], %i: hbm u8[64], out %o: hbm f32[64]) {\n"
     "%v = load %x[:] : f32[256]\n %j = load %i[:] : u8[64]\n %m = convert %j : i32[64]\n"
     "%g = lookup %v, %m index_map [0] : f32[64]\n %n = neg %g : f32[64]\n"
     "store %n, %o[:]\n}\n",
     "zext i8", "store <16 x i32>", "znver4"},
    // What takes turns in an output is made there, as vectors.
    {"func @f(%x: hbm f32[64], out %o: hbm f32[64,2]) {\n"
     "%v = load %x[:] : f32[64]\n %a = neg %v : f32[64]\n %b = abs %v : f32[64]\n"
     "%r = reshape %a : f32[64,1]\n %s = reshape %b : f32[64,1]\n"
     "%c = concat %r, %s dim 1 : f32[64,2]\n store %c, %o[:, :]\n}\n",
     "shufflevector <8 x float>", "store float", NULL},
    {"func @f(%x: hbm f32[64], out %o: hbm f32[64,2]) {\n"
     "%v = load %x[:] : f32[64]\n %a = neg %v : f32[64]\n %b = abs %v : f32[64]\n"
     "%r = reshape %a : f32[64,1]\n %s = reshape %b : f32[64,1]\n"
     "%c = concat %r, %s dim 1 : f32[64,2]\n store %c, %o[:, :]\n}\n",
     "shufflevector <8 x float>", "%frame = alloca", NULL},
    // What is there already is copied as vectors.
    {"func @f(%x: hbm f32[64,1], %y: hbm f32[64,1], out %o: hbm f32[64,3]) {\n"
     "%v = load %x[:, :] : f32[64,1]\n %w = load %y[:, :] : f32[64,1]\n"
     "%c = concat %v, %w, %v dim 1 : f32[64,3]\n store %c, %o[:, :]\n}\n",
     "shufflevector <8 x float>", "store float", NULL},
};

static int emit_structure(Session *session, void *data) {
  const Structure *s = data;
  IrModule *module = read_module(
      session, str_format(session->arena, "module tpu v5p devices 1\n%s", s->text).data);
  fuse(session, module);
  Str target = s->target ? str_from_c(s->target) : STR("x86-64-v3");
  CodegenOptions options = {.opt_level = 2, .target_cpu = target, .verify = true};
  LlvmModule *code = codegen_module(session, module, &options);
  Str text;
  ck_assert(code && codegen_emit(session, code, EMIT_LLVM, session->arena, &text));
  ck_assert_msg(strstr(text.data, s->has) != NULL, "no '%s' in\n%s", s->has, text.data);
  ck_assert_msg(strstr(text.data, s->lacks) == NULL, "'%s' in\n%s", s->lacks, text.data);
  codegen_free(code);
  return 0;
}

START_TEST(structure) {
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, emit_structure, (void *)&structures[_i]), 0);
  session_free(session);
}
END_TEST

// Where the source was unrolled, clusters that are equal are one function.
static int emit_unrolled(Session *session, void *data) {
  (void)data;
  enum { TIMES = 500 };
  Buf b;
  buf_init(&b, session->arena);
  buf_c(&b, "module tpu v5p devices 1\nfunc @f(%x: hbm f32[16,16], out %o: hbm f32[16,16]) {\n%v0 "
            "= load %x[:, :] : f32[16,16]\n");
  for (int i = 1; i <= TIMES; i++)
    buf_printf(&b,
               "%%k%d = const %d.5 : f32[16,16]\n%%a%d = mul %%v%d, %%k%d : f32[16,16]\n%%v%d = "
               "cumsum %%a%d dim 0 : f32[16,16]\n",
               i, i, i, i - 1, i, i, i);
  buf_printf(&b, "store %%v%d, %%o[:, :]\n}\n", TIMES);
  IrModule *module = read_module(session, str_copy(session->arena, buf_view(&b)).data);
  CodegenOptions options = {.opt_level = 2, .target_cpu = STR("x86-64-v3"), .verify = true};
  LlvmModule *code = codegen_module(session, module, &options);
  Str text;
  ck_assert(code && codegen_emit(session, code, EMIT_LLVM, session->arena, &text));
  size_t products = 0;
  for (const char *at = text.data; (at = strstr(at, "= fmul")); at++) products++;
  ck_assert_msg(products <= 4, "%zu products", products);
  codegen_free(code);
  return 0;
}

START_TEST(unrolled) {
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, emit_unrolled, NULL), 0);
  session_free(session);
}
END_TEST

// LLVM makes several functions of a program that waits: its code is in one of them.
static int emit_waiting(Session *session, void *data) {
  (void)data;
  static const char text[] =
      "module tpu v5p devices 1\n"
      "func @f(%x: hbm f32[8], %y: hbm f32[8], out %o: hbm f32[8]) {\n"
      "%s = alloc \"s\" : sem regular\n%one = const 1 : i32\nsem.signal %s, %one\n"
      "sem.wait %s, %one\n"
      "%a = load %x[:] : f32[8]\n%b = load %y[:] : f32[8]\n%c = div %a, %b : f32[8]\n"
      "store %c, %o[:]\n}\n";
  IrModule *module = read_module(session, text);
  CodegenOptions options = {.opt_level = 2, .target_cpu = STR("x86-64-v3"), .verify = true};
  LlvmModule *code = codegen_module(session, module, &options);
  Str llvm;
  ck_assert(code && codegen_emit(session, code, EMIT_LLVM, session->arena, &llvm));
  size_t quotients = 0;
  for (const char *at = llvm.data; (at = strstr(at, "= fdiv")); at++) quotients++;
  ck_assert_msg(quotients == 1, "%zu quotients in\n%s", quotients, llvm.data);
  codegen_free(code);
  return 0;
}

START_TEST(waiting) {
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, emit_waiting, NULL), 0);
  session_free(session);
}
END_TEST

// Ops that no case is about, and why.
static const struct {
  OpCode code;
  const char *why;
} elsewhere[] = {
    {OP_YIELD, "ends the regions of others"},
    {OP_LAUNCH, "the pipeline pass has taken it away: test_pipeline.c"},
    {OP_FUSE, "every text is run fused as well"},
    {OP_PRNG_SEED, "the generator is ours alone: tests/kernels/random"},
    {OP_PRNG_BITS, "likewise"},
    {OP_DEBUG_PRINT, "tests/kernels/debug"},
    {OP_COPY_START, "of programs that wait: tests/kernels"},
    {OP_COPY_WAIT, "likewise"},
    {OP_SEM_SIGNAL, "likewise"},
    {OP_SEM_WAIT, "likewise"},
    {OP_SEM_READ, "likewise"},
    {OP_SEM_BARRIER, "likewise"},
    {OP_MEET, "likewise"},
    {OP_RESULT_READ, "the caller says so: tests/jax"},
    {OP_SEM_PASS, "of calls behind each other: tests/jax"},
    {OP_SEM_TAKE, "likewise"},
    {OP_PUBLISH, "tests/ranks"},
    {OP_FETCH_ADD, "likewise"},
    {OP_UNWRITTEN, "made under check: tests/golden/check"},
    {OP_UNWRITE, "likewise"},
    {OP_CHECK_USED, "likewise"},
    {OP_ENTER, "likewise"},
    {OP_RELEASE, "made under check: tests/golden/races"},
    {OP_DIES, "likewise"},
    {OP_OVER, "likewise"},
    {OP_BEGIN, "likewise"},
    {OP_TURN, "likewise"},
    {OP_FETCH_AHEAD, "likewise"},
    {OP_WRITE_BEHIND, "likewise"},
    {OP_COPY_INDEX, "likewise"},
    {OP_CORES, "likewise"},
    {OP_PART, "of programs of devices: tests/kernels/devices"},
    {OP_GATHER_BATCH, "vmap takes it away: tests/kernels/vmap"},
};

static bool is_word(char c) {
  return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

static bool has_word(const char *text, const char *word) {
  for (const char *at = text; (at = strstr(at, word)); at++)
    if ((at == text || !is_word(at[-1])) && at[-(at > text)] != '%' && !is_word(at[strlen(word)]))
      return true;
  return false;
}

START_TEST(every_op_has_a_case) {
  OpCode code = (OpCode)_i;
  OpClass op_class = op_info(code)->op_class;
  if (op_class == CLASS_UNARY || op_class == CLASS_BINARY || op_class == CLASS_COMPARE)
    return; // elementwise
  if (code == OP_IS_FINITE || code == OP_CONVERT || code == OP_BITCAST)
    return; // elementwise, conversions
  for (size_t i = 0; i < COUNT_OF(elsewhere); i++)
    if (elsewhere[i].code == code) return;
  for (size_t i = 0; i < COUNT_OF(text_cases); i++)
    if (has_word(text_cases[i].body, op_info(code)->name)) return;
  ck_abort_msg("no case of codegen_cases.h has '%s'", op_info(code)->name);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("codegen");
  TCase *tcase = tcase_create("all");
  tcase_set_timeout(tcase, 300);
  // Each op by itself is minutes in LLVM, which is not sanitized.
  if (!IS_SANITIZED) {
    tcase_add_loop_test(tcase, elementwise, 0, (int)OP_COUNT);
    tcase_add_loop_test(tcase, conversions, 0, (int)COUNT_OF(all_types));
  }
  tcase_add_loop_test(tcase, every_op_has_a_case, 0, (int)OP_COUNT);
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("structure");
  tcase_set_timeout(tcase, 300);
  tcase_add_loop_test(tcase, structure, 0, (int)COUNT_OF(structures));
  tcase_add_test(tcase, unrolled);
  tcase_add_test(tcase, waiting);
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("texts");
  tcase_set_timeout(tcase, 300);
  tcase_add_test(tcase, texts);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
