// SPDX-License-Identifier: Apache-2.0
// What the command line says to each stage, whoever runs it.
#pragma once
#include "codegen/codegen.h"
#include "driver/options/options.h"
#include "ir/core/ir.h"
#include "jax/program/entry.h"
#include "passes/pass.h"

EvalOptions eval_options(const Options *options, bool run);
PassOptions pass_options(const Session *session, const Options *options);
CodegenOptions codegen_options(const Options *options);
// What --matmul-precision says, put on every product of a module; only then is it lowered.
void lower_precision(const Options *options, IrModule *module);
// Before and behind the passes and the code of a module: what is made of it is recorded, if the
// options ask for that; then warned of, and reported.
void report_begin(Session *session, const Options *options);
void report_end(Session *session, const Options *options);
// 1 if errors were given, else 0.
int status_of(const Session *session);
