// SPDX-License-Identifier: Apache-2.0
// The instructions of AMX that compiled code uses, for CPUs without them: each raises SIGILL, and
// the handler does what Intel's Software Developer's Manual says. What that forbids ends the
// program. Tile registers are a thread's own. On a CPU that has AMX, and a system that permits it,
// the CPU itself runs them.
#pragma once
#include <immintrin.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { EMULATED_TILES = 8, EMULATED_ROWS = 16, EMULATED_BYTES = 64 };

typedef struct EmulatedTile {
  uint8_t rows[EMULATED_ROWS][EMULATED_BYTES];
} EmulatedTile;

typedef struct EmulatedConfig { // the operand of ldtilecfg
  uint8_t palette, start_row, zero[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} EmulatedConfig;

static _Thread_local EmulatedConfig tile_config;
static _Thread_local EmulatedTile tile_registers[EMULATED_TILES];
// Instructions so far, of all threads; by kind.
typedef enum EmulatedKind {
  TILE_CONFIG,
  TILE_RELEASE,
  TILE_MOVE,
  TILE_BF16,
  TILE_BYTES
} EmulatedKind;
static _Atomic long tile_counts[TILE_BYTES + 1];

typedef struct EmulatedCode {
  const uint8_t *start, *next;
  unsigned prefix, opcode;      // prefix: 0 none, 1 66, 2 f3, 3 f2
  unsigned mod, reg, rm, third; // rm and reg with the bits of the prefix
  unsigned reg_x, reg_b;
} EmulatedCode;

static void tile_fault(const EmulatedCode *code, const char *why) {
  char text[200];
  int n = snprintf(text, sizeof text, "tile emulator: %s: %02x %02x %02x %02x %02x at %p\n", why,
                   code->start[0], code->start[1], code->start[2], code->start[3], code->start[4],
                   (const void *)code->start);
  if (write(2, text, (size_t)n) < 0) _exit(98);
  _exit(99);
}

// VEX.128.0F38.W0 in its form of three bytes.
static EmulatedCode tile_decode(const uint8_t *at) {
  EmulatedCode c = {.start = at};
  if (at[0] != 0xc4 || (at[1] & 0x1f) != 2 || (at[2] & 0x84)) tile_fault(&c, "not of AMX");
  c.prefix = at[2] & 3;
  c.third = ~(unsigned)at[2] >> 3 & 15;
  c.opcode = at[3];
  c.mod = at[4] >> 6;
  c.reg = (at[4] >> 3 & 7) | (at[1] & 0x80 ? 0 : 8);
  c.rm = at[4] & 7;
  c.reg_x = at[1] & 0x40 ? 0 : 8;
  c.reg_b = at[1] & 0x20 ? 0 : 8;
  c.next = at + 5;
  return c;
}

static uint64_t tile_gpr(const ucontext_t *context, unsigned number) {
  static const int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                               REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                               REG_R12, REG_R13, REG_R14, REG_R15};
  return (uint64_t)context->uc_mcontext.gregs[places[number]];
}

// The operand in memory; the index is what is between two rows.
static uint8_t *tile_operand(EmulatedCode *c, const ucontext_t *context, uint64_t *pitch) {
  uint64_t base = 0;
  *pitch = 0;
  bool is_relative = false, has_base = true;
  if (c->rm == 4) {
    unsigned sib = *c->next++, index = (sib >> 3 & 7) | c->reg_x;
    if (index != 4) *pitch = tile_gpr(context, index) << (sib >> 6);
    has_base = (sib & 7) != 5 || c->mod;
    if (has_base) base = tile_gpr(context, (sib & 7) | c->reg_b);
  } else if (c->rm == 5 && !c->mod) {
    is_relative = true;
    has_base = false;
  } else {
    base = tile_gpr(context, c->rm | c->reg_b);
  }
  if (c->mod == 1) base += (uint64_t)(int64_t)(int8_t)*c->next++;
  if (c->mod == 2 || !has_base) {
    int32_t distance;
    memcpy(&distance, c->next, sizeof distance);
    c->next += sizeof distance;
    base += (uint64_t)(int64_t)distance;
  }
  if (is_relative) base += (uint64_t)(uintptr_t)c->next;
  return (uint8_t *)(uintptr_t)base;
}

static void tile_load_config(const EmulatedCode *c, const uint8_t *from) {
  memcpy(&tile_config, from, sizeof tile_config);
  if (tile_config.palette != 1 || tile_config.start_row) tile_fault(c, "configuration");
  for (int i = 0; i < 16; i++) {
    bool is_used = i < EMULATED_TILES && tile_config.rows[i];
    if (is_used != (tile_config.row_bytes[i] != 0) || tile_config.rows[i] > EMULATED_ROWS ||
        tile_config.row_bytes[i] > EMULATED_BYTES)
      tile_fault(c, "configuration of a tile");
  }
  for (int i = 0; i < 14; i++)
    if (tile_config.zero[i]) tile_fault(c, "reserved bytes");
  memset(tile_registers, 0, sizeof tile_registers);
}

static void tile_move(EmulatedCode *c, const ucontext_t *context) {
  uint64_t pitch;
  if (c->mod == 3 || c->rm != 4) tile_fault(c, "without an index");
  uint8_t *memory = tile_operand(c, context, &pitch);
  EmulatedTile *tile = &tile_registers[c->reg];
  unsigned bytes = tile_config.row_bytes[c->reg];
  for (unsigned row = 0; row < EMULATED_ROWS; row++) {
    uint8_t *place = memory + row * pitch;
    bool is_there = row < tile_config.rows[c->reg];
    if (c->prefix == 2) {
      if (is_there) memcpy(place, tile->rows[row], bytes);
      continue;
    }
    memset(tile->rows[row], 0, EMULATED_BYTES);
    if (is_there) memcpy(tile->rows[row], place, bytes);
  }
}

static float tile_f32(const EmulatedTile *tile, unsigned row, unsigned at) {
  float value;
  memcpy(&value, tile->rows[row] + 4 * at, 4);
  return value;
}

static float tile_bf16(const EmulatedTile *tile, unsigned row, unsigned at) {
  uint16_t half;
  memcpy(&half, tile->rows[row] + 2 * at, 2);
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

// Subnormal numbers are zero, whatever the thread's mode.
__attribute__((target("fma"))) static void tile_multiply_bf16(EmulatedTile *sums,
                                                              const EmulatedTile *a,
                                                              const EmulatedTile *b, unsigned rows,
                                                              unsigned cells, unsigned columns) {
  unsigned mode = _mm_getcsr();
  _mm_setcsr(0x1f80 | 0x8040);
  for (unsigned m = 0; m < rows; m++)
    for (unsigned n = 0; n < columns; n++) {
      volatile float even = 0, odd = 0;
      for (unsigned k = 0; k < cells; k++) {
        even = __builtin_fmaf(tile_bf16(a, m, 2 * k), tile_bf16(b, k, 2 * n), even);
        odd = __builtin_fmaf(tile_bf16(a, m, 2 * k + 1), tile_bf16(b, k, 2 * n + 1), odd);
      }
      volatile float both = even + odd, sum = tile_f32(sums, m, n);
      sum = sum + both;
      float result = sum;
      memcpy(sums->rows[m] + 4 * n, &result, 4);
    }
  _mm_setcsr(mode);
}

static int32_t tile_byte(uint8_t byte, bool is_signed) { return is_signed ? (int8_t)byte : byte; }

static void tile_multiply_bytes(EmulatedTile *sums, const EmulatedTile *a, const EmulatedTile *b,
                                unsigned rows, unsigned cells, unsigned columns, unsigned prefix) {
  bool a_signed = prefix == 3 || prefix == 2, b_signed = prefix == 3 || prefix == 1;
  for (unsigned m = 0; m < rows; m++)
    for (unsigned n = 0; n < columns; n++) {
      uint32_t sum;
      memcpy(&sum, sums->rows[m] + 4 * n, 4);
      for (unsigned k = 0; k < cells; k++)
        for (unsigned i = 0; i < 4; i++)
          sum += (uint32_t)(tile_byte(a->rows[m][4 * k + i], a_signed) *
                            tile_byte(b->rows[k][4 * n + i], b_signed));
      memcpy(sums->rows[m] + 4 * n, &sum, 4);
    }
}

static void tile_multiply(const EmulatedCode *c) {
  unsigned to = c->reg, a = c->rm | c->reg_b, b = c->third;
  if (c->mod != 3 || a >= EMULATED_TILES || b >= EMULATED_TILES || a == b || a == to || b == to)
    tile_fault(c, "registers");
  const EmulatedConfig *f = &tile_config;
  unsigned rows = f->rows[to], cells = f->row_bytes[a] / 4u, columns = f->row_bytes[to] / 4u;
  if (!rows || f->rows[a] != rows || f->rows[b] != cells || f->row_bytes[b] != f->row_bytes[to])
    tile_fault(c, "shapes");
  if (c->opcode == 0x5e)
    tile_multiply_bytes(&tile_registers[to], &tile_registers[a], &tile_registers[b], rows, cells,
                        columns, c->prefix);
  else if (c->prefix == 2)
    tile_multiply_bf16(&tile_registers[to], &tile_registers[a], &tile_registers[b], rows, cells,
                       columns);
  else
    tile_fault(c, "no such product");
}

static void tile_configure(EmulatedCode *c, const ucontext_t *context) {
  uint64_t pitch;
  if (c->mod == 3 && c->prefix == 3) {
    if (!tile_config.palette) tile_fault(c, "no configuration");
    memset(&tile_registers[c->reg], 0, sizeof tile_registers[0]);
  } else if (c->mod == 3 && !c->prefix && !c->reg && !c->rm) {
    tile_counts[TILE_RELEASE]++;
    memset(&tile_config, 0, sizeof tile_config);
  } else if (c->mod != 3 && !c->prefix && !c->reg) {
    tile_counts[TILE_CONFIG]++;
    tile_load_config(c, tile_operand(c, context, &pitch));
  } else {
    tile_fault(c, "unknown");
  }
}

static void tile_illegal(int signal, siginfo_t *info, void *data) {
  (void)signal;
  (void)info;
  ucontext_t *context = data;
  EmulatedCode code = tile_decode((const uint8_t *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP]);
  if (code.opcode != 0x49 && !tile_config.palette) tile_fault(&code, "no configuration");
  if (code.reg >= EMULATED_TILES) tile_fault(&code, "register");
  switch (code.opcode) {
  case 0x49: tile_configure(&code, context); break;
  case 0x4b:
    tile_counts[TILE_MOVE]++;
    tile_move(&code, context);
    break;
  case 0x5c:
    tile_counts[TILE_BF16]++;
    tile_multiply(&code);
    break;
  case 0x5e:
    tile_counts[TILE_BYTES]++;
    tile_multiply(&code);
    break;
  default: tile_fault(&code, "unknown");
  }
  context->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)code.next;
}

// The bits of amx-bf16, amx-tile and amx-int8 in prt_cpu.def.
static const uint64_t tile_feature_bits = UINT64_C(1) << 40 | UINT64_C(1) << 42 | UINT64_C(1) << 43;

void __real_prt__cpu_features(uint64_t features[2]);
void __wrap_prt__cpu_features(uint64_t features[2]);
// What the runtime believes (the programs are linked with --wrap): that there are tiles.
void __wrap_prt__cpu_features(uint64_t features[2]) {
  __real_prt__cpu_features(features);
  features[0] |= tile_feature_bits;
}

int __real_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
// The runtime's threads block all signals but this one.
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  if (!set || how == SIG_UNBLOCK) return __real_pthread_sigmask(how, set, old);
  sigset_t without = *set;
  sigdelset(&without, SIGILL);
  return __real_pthread_sigmask(how, &without, old);
}

// False if this CPU cannot run the rest of the code for one with tiles ("sapphirerapids").
static bool tiles_emulate(void) {
  if (!__builtin_cpu_supports("avx512vnni") || !__builtin_cpu_supports("avx512vbmi") ||
      !__builtin_cpu_supports("avx512vpopcntdq"))
    return false;
  struct sigaction action = {.sa_sigaction = tile_illegal, .sa_flags = SA_SIGINFO | SA_NODEFER};
  return sigaction(SIGILL, &action, NULL) == 0;
}
