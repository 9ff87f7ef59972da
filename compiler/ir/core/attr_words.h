// SPDX-License-Identifier: Apache-2.0
// Attributes that are one of a few words, or a list of such (kinds WORD and WORDS): their enums,
// and attr_words.def as a table.
#pragma once
#include "base/base.h"

// What becomes of the windows of a gather or scatter that do not lie in the operand.
typedef enum WindowMode {
#define MODE_WORD(id, word) WINDOW_##id,
#include "attr_words.def"
} WindowMode;

typedef enum DotPrecision {
#define PRECISION_WORD(id, word) PRECISION_##id,
#include "attr_words.def"
} DotPrecision;

typedef enum ScatterCombine {
#define COMBINE_WORD(id, word) COMBINE_##id,
#include "attr_words.def"
} ScatterCombine;

typedef enum TurnStage {
#define STAGE_WORD(id, word) TURN_##id,
#include "attr_words.def"
} TurnStage;

// What the chip's pipeline does between two steps by a copy.
typedef enum WindowMove {
#define MOVE_WORD(id, word) MOVE_##id,
#include "attr_words.def"
} WindowMove;

// What a check finds where it fails.
typedef enum CheckFinding {
#define FINDING_WORD(id, word, kind, everywhere) FINDING_##id,
#include "attr_words.def"
} CheckFinding;

// In which order the steps of a dimension of a grid run.
typedef enum GridSemantics {
#define SEMANTICS_WORD(id, word) SEMANTICS_##id,
#include "attr_words.def"
} GridSemantics;

// Whom a signal or copy goes to, bits: each has an operand, in the order remote, device, core.
enum {
  TARGET_DEVICE = 1 << 0, // another device
  TARGET_CORE = 1 << 1,   // another core
  TARGET_REMOTE = 1 << 2  // of a copy: it has a second semaphore, which is its sender's
};
