// SPDX-License-Identifier: Apache-2.0
// The parts of the driver. The compiler is a library; what is here is the command line, files and
// the order of things.
#pragma once
#include "options.h"
#include "prt.h"

// ---- compile.c: the whole way of one source -----------------------------------------------------
// A compilation on its way.
typedef struct Outputs Outputs;
typedef struct JitBackend JitBackend;
// Compiles input `which` of the options. The exit status; diagnostics are in the session.
int compile_input(Session *session, const Options *options, size_t which);
// The objects of all inputs, linked.
int compile_shared(Session *session, const Options *options);
PassOptions pass_options(const Options *options);
CodegenOptions codegen_options(const Options *options);
EvalOptions eval_options(const Options *options, bool run);
// What --matmul-precision says, put on every product of a module; only then is it lowered.
void lower_precision(const Options *options, IrModule *module);
// 1 if errors were given, else 0.
int status_of(const Session *session);

// ---- program.c: run and check -------------------------------------------------------------------
int program_run(Session *session, const Options *options);

// ---- program_call.c -----------------------------------------------------------------------------
// Calls one function of a file on .npy files and values (`arguments`); results go to the files of
// -o, or are printed.
int call_function(Session *session, const Options *options, Eval *ev, JitBackend *jit, Str function,
                  size_t count, const Str *arguments);
// Calls every annotated function, or the one of that name, on made-up inputs (check).
int call_entries(Session *session, const Options *options, Eval *ev, JitBackend *jit, Str function);

// ---- jit_backend.c: what runs a module's own statements and calls -------------------------------
JitBackend *jit_backend_new(Session *session, const Options *options);
void jit_backend_free(JitBackend *backend);
RunBackend jit_backend_run(JitBackend *backend);
// Compiles (or finds again) the module of `func` and calls it. 0, or the exit status after a
// diagnostic.
int jit_backend_call(JitBackend *backend, IrModule *module, IrFunc *func, void *const *buffers);
// The worst exit status of a call so far.
// The program is over: results that it never looked at, of calls of which it looked at nothing, are
// judged as a whole.
void jit_backend_finish(JitBackend *backend);
int jit_backend_status(const JitBackend *backend);

// ---- c_names.c ----------------------------------------------------------------------------------
// Makes the names of parameters names of C: `register` becomes `register_`. False after a
// diagnostic: an entry point cannot have its name.
bool c_names_fix(Session *session, IrModule *module);

// ---- header.c -----------------------------------------------------------------------------------
Str header_text(Session *session, const IrModule *module, Str source, Str header_path);

// ---- depfile.c ----------------------------------------------------------------------------------
// A rule of make: `target` and the files of the session that were read.
Str depfile_text(Session *session, Str target, bool phony);

// ---- output.c: files that appear together, whole or not at all ----------------------------------
Outputs *outputs_new(Session *session);
// `text` must live until outputs_write. "-" is standard output.
void outputs_add(Outputs *outputs, Str path, Str text);
// A file that another program is to write: gives its temporary name; outputs_write renames it.
// `suffix` ends it.
Str outputs_reserve(Outputs *outputs, Str path);
// 0, or the exit status after a diagnostic; then none of the files has appeared, and no temporary
// one is left.
int outputs_write(Outputs *outputs);
// Removes what is temporary, if outputs_write was not reached.
void outputs_drop(Outputs *outputs);

// ---- link.c -------------------------------------------------------------------------------------
// Links objects and the runtime to a shared library at `output`. The exit status.
int link_shared(Session *session, size_t count, const Str *objects, Str output, Str name);
