// SPDX-License-Identifier: Apache-2.0
// CPUs by name. Code uses exactly one level of the x86-64 psABI and the few further features that
// the generator knows how to use, so that the check at an entry point (prt__enter) covers all that
// LLVM may emit.
#include "base/buf.h"
#include "base/host.h"
#include "target.h"
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <string.h>
#include "codegen/codegen.h"
#include "ir/core/cpu.h"

typedef struct Cpu {
  const char *name;
  int level;
  unsigned l1_kilobytes, l2_kilobytes; // of one core's data
  unsigned division;                   // cycles
  bool gathers_quickly, halves_pairs;
  const char *extra;
} Cpu;
static const Cpu cpu_table[] = {
#define CPU(name, level, l1, l2, division, gathers, pairs, extra)                                  \
  {name, level, l1, l2, division, gathers, pairs, extra},
#include "target.def"
#undef CPU
};

typedef struct Feature {
  const char *name;
  unsigned bit;
} Feature;
static const Feature feature_table[] = {
#define PRT_CPU(bit, name, leaf, subleaf, reg, reg_bit, state) {name, bit},
#include "host/prt_cpu.def"
#undef PRT_CPU
};

static const char *const level_features[] = {
    "",
    "",
    "cx16,sahf,popcnt,sse3,ssse3,sse4.1,sse4.2",
    "avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,xsave",
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
};
enum { TOP_LEVEL = 4 }; // of the psABI
// Twice what elements/gen_quotient.c takes: seven operations, of which two begin in a cycle.
enum { SHORT_DIVISION = 7 };
static const char *const level_names[] = {"", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
// Beyond the levels: what the generator, or LLVM for what it makes, has a use for.
static const char used_extras[] =
    "avx512vnni,avx512bf16,avx512vbmi,avx512vpopcntdq,amx-tile,amx-bf16,amx-int8";
// One is of no use without the others.
static const char tile_features[] = "amx-tile,amx-bf16,amx-int8";

// Takes the next word of a comma-separated list off it.
static Str next_word(Str *list) {
  Str word = {list->data, 0};
  while (word.len < list->len && word.data[word.len] != ',') word.len++;
  size_t used = word.len < list->len ? word.len + 1 : word.len;
  list->data += used;
  list->len -= used;
  return word;
}

static bool list_has(const char *list, Str wanted) {
  Str rest = str_from_c(list);
  while (rest.len)
    if (str_equal(next_word(&rest), wanted)) return true;
  return false;
}

static bool list_has_all(const char *list, const char *wanted) {
  Str rest = str_from_c(wanted);
  while (rest.len)
    if (!list_has(list, next_word(&rest))) return false;
  return true;
}

static void add_bits(uint64_t bits[2], const char *list) {
  Str rest = str_from_c(list);
  while (rest.len) {
    Str word = next_word(&rest);
    for (size_t i = 0; i < COUNT_OF(feature_table); i++)
      if (str_equal(word, str_from_c(feature_table[i].name)))
        bits[feature_table[i].bit / 64] |= (uint64_t)1 << feature_table[i].bit % 64;
  }
}

static bool host_has(const uint64_t host[2], const char *wanted) {
  uint64_t bits[2] = {0};
  add_bits(bits, wanted);
  return !(bits[0] & ~host[0]) && !(bits[1] & ~host[1]);
}

static const Cpu *find_cpu(Str name) {
  for (size_t i = 0; i < COUNT_OF(cpu_table); i++)
    if (str_equal(name, str_from_c(cpu_table[i].name))) return &cpu_table[i];
  return NULL;
}

// A cache of this machine in KB, or what the CPU's kind has if the machine does not say.
static unsigned host_cache(int level, unsigned otherwise) {
  int64_t bytes = host_cache_bytes(level);
  return bytes >= 1024 ? (unsigned)(bytes / 1024) : otherwise;
}

// A model is a matter of names, which LLVM has; what the machine can do is asked in base/host.c.
Str codegen_host_cpu(Arena *arena) {
  char *name = LLVMGetHostCPUName();
  Str copy = str_copy(arena, str_from_c(name));
  LLVMDisposeMessage(name);
  return copy;
}

// What the machine has (a virtual one may hide some) and, if the table knows the CPU, is worth
// using.
static Cpu host_cpu(Arena *arena) {
  uint64_t host[2];
  host_features(host);
  Cpu cpu = {.name = codegen_host_cpu(arena).data, .level = 1};
  while (cpu.level < TOP_LEVEL && host_has(host, level_features[cpu.level + 1])) cpu.level++;
  Buf extra;
  buf_init(&extra, arena);
  const Cpu *known = find_cpu(str_from_c(cpu.name));
  bool has_tiles = host_has(host, tile_features);
  Str rest = str_from_c(known && known->level == cpu.level ? known->extra : used_extras);
  while (rest.len) {
    Str word = next_word(&rest);
    if (list_has(used_extras, word) && host_has(host, str_copy(arena, word).data) &&
        (has_tiles || !list_has(tile_features, word)))
      buf_printf(&extra, "%s%.*s", extra.len ? "," : "", STR_FMT(word));
  }
  const Cpu *like = known ? known : find_cpu(str_from_c(level_names[cpu.level]));
  cpu.division = like->division;
  cpu.gathers_quickly = like->gathers_quickly;
  cpu.halves_pairs = like->halves_pairs;
  cpu.l1_kilobytes = host_cache(1, like->l1_kilobytes);
  cpu.l2_kilobytes = host_cache(2, like->l2_kilobytes);
  cpu.extra = cpu.level == TOP_LEVEL ? str_copy(arena, buf_view(&extra)).data : "";
  return cpu;
}

bool codegen_knows_cpu(Str name) {
  return name.len == 0 || str_equal(name, STR("native")) || find_cpu(name);
}

Str codegen_cpu_names(Arena *arena) {
  Buf out;
  buf_init(&out, arena);
  buf_c(&out, "native");
  for (size_t i = 0; i < COUNT_OF(cpu_table); i++) buf_printf(&out, ", %s", cpu_table[i].name);
  return buf_view(&out);
}

// The features in use as LLVM takes them: "+avx512vnni,+avx512bf16".
static const char *plus_list(Arena *arena, const char *list) {
  Buf out;
  buf_init(&out, arena);
  Str rest = str_from_c(list);
  while (rest.len) {
    Str word = next_word(&rest);
    if (list_has(used_extras, word)) buf_printf(&out, "%s+%.*s", out.len ? "," : "", STR_FMT(word));
  }
  return str_copy(arena, buf_view(&out)).data;
}

const Target *target_find(Session *session, Arena *arena, Str name) {
  Cpu cpu;
  if (name.len == 0 || str_equal(name, STR("native"))) {
    cpu = host_cpu(arena);
  } else {
    const Cpu *found = find_cpu(name);
    if (!found) {
      Diag *diag = diag_error(session, (Span){0}, "unknown CPU '%.*s'", STR_FMT(name));
      diag_note(session, diag, (Span){0}, "the names are: %.*s", STR_FMT(codegen_cpu_names(arena)));
      return NULL;
    }
    cpu = *found;
  }
  Target *t = ARENA_NEW(arena, Target);
  char *triple = LLVMGetDefaultTargetTriple();
  t->triple = str_copy(arena, str_from_c(triple)).data;
  LLVMDisposeMessage(triple);
  t->name = cpu.name;
  t->cpu = level_names[cpu.level];
  t->features = plus_list(arena, cpu.extra);
  for (int level = 2; level <= cpu.level; level++) add_bits(t->feature_bits, level_features[level]);
  for (Str rest = str_from_c(cpu.extra); rest.len;) {
    Str word = next_word(&rest);
    if (list_has(used_extras, word))
      add_bits(list_has(tile_features, word) ? t->tile_bits : t->feature_bits,
               str_copy(arena, word).data);
  }
  t->vector_bytes = cpu.level >= 4 ? WIDEST_VECTOR : cpu.level == 3 ? 32 : 16;
  t->l1_bytes = (int64_t)cpu.l1_kilobytes << 10;
  t->l2_bytes = (int64_t)cpu.l2_kilobytes << 10;
  t->registers = cpu.level >= 4 ? 32 : 16;
  t->has_sse41 = cpu.level >= 2;
  t->has_fma = t->has_f16c = cpu.level >= 3;
  t->has_masks = cpu.level >= 4;
  t->gathers_quickly = cpu.gathers_quickly;
  t->divides_slowly = t->has_masks && cpu.division > SHORT_DIVISION;
  t->has_vnni = list_has(cpu.extra, STR("avx512vnni"));
  t->rounds_bf16 = list_has(cpu.extra, STR("avx512bf16"));
  t->multiplies_pairs = t->rounds_bf16 && !cpu.halves_pairs;
  t->has_tiles = list_has_all(cpu.extra, tile_features);
  return t;
}

bool codegen_target_text(Session *session, Arena *arena, Str name, Str *out) {
  const Target *t = target_find(session, arena, name);
  if (!t) return false;
  *out = str_format(arena, "%s %s %s %s %lld %lld", t->triple, t->name, t->cpu, t->features,
                    (long long)t->l1_bytes, (long long)t->l2_bytes);
  return true;
}
