// SPDX-License-Identifier: Apache-2.0
// Files that appear together, whole or not at all.
#pragma once
#include "driver/options/options.h"

typedef struct Outputs Outputs;
Outputs *outputs_new(Session *session);
// False with errno if not all of the text was taken.
bool output_write_all(int fd, Str text);
// Writes out what was printed to session->out. False after a diagnostic.
bool output_flush(Session *session);
// Before long work whose result is to be written there: false after a diagnostic if it cannot be.
bool output_can_be(Session *session, Str path);
// `text` must live until outputs_write. "-" is standard output.
void outputs_add(Outputs *outputs, Str path, Str text);
// A file that another program is to write: gives its temporary name; outputs_write renames it. ""
// after a diagnostic.
Str outputs_reserve(Outputs *outputs, Str path);
// A temporary file that is gone when outputs_write or outputs_drop is done. "" after a diagnostic.
Str outputs_scratch(Outputs *outputs, Str text);
// STATUS_USAGE after a diagnostic if two of them are one file, or one is a source.
int outputs_check(Outputs *outputs);
// Checks and writes them. 0, or the exit status after a diagnostic; then none of the files has
// appeared, and no temporary one is left.
int outputs_write(Outputs *outputs);
// Removes what is temporary, if outputs_write was not reached.
void outputs_drop(Outputs *outputs);

// ---- depfile.c
// Adds a rule of make, the output and the files of the session that were read, if the options ask
// for it.
void depfile_add(Session *session, const Options *options, Str output, Outputs *outputs);
