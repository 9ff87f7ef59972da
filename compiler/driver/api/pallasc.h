// SPDX-License-Identifier: Apache-2.0
// libpallasc: the compiler as a library. C11 and C++11.
//
//   const char *arguments[] = {"add.pk", "--entry", "add(f32[8,128], f32[8,128])"};
//   pallasc_result *made = pallasc_load(3, arguments, 0, NULL);
//   const prt_entry *add = pallasc_find_entry(made, "add");
//   if (!add) return puts(pallasc_diagnostics(made)), 1;
//   void *arrays[] = {x, y, out};
//   prt_status status = add->call(NULL, arrays);
//   pallasc_free(made);
//
// Arguments are those of the command line (docs/command-line.md), without the program's name:
// options, and the sources. What the program would write to standard output and standard error is
// in the result; files are written where options name them.
//
// Threads: every function may be called by any number of threads at once. A call works on a thread
// of its own, whose stack is large enough, and returns when that has ended. A result belongs to one
// thread at a time; the code it holds may be called from any.
// Ownership: arguments and texts are the caller's, and needed only while the call lasts. What a
// function gives of a result (texts, entry points) is the result's, and lives until pallasc_free.
// Errors: nothing here ends the process, writes to its standard streams or changes its signals. A
// mistake of the compiler itself is a result of status PALLASC_INTERNAL; what it held is lost.
// Versions: PALLASC_API_VERSION grows when something here changes its meaning; what is only added
// leaves it. The code in a result needs the libpallasrt that this library is linked to.
#ifndef PALLASC_H
#define PALLASC_H
#include "prt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PALLASC_API_VERSION 1

PRT_API int pallasc_api_version(void);     // PALLASC_API_VERSION of the library
PRT_API const char *pallasc_version(void); // "0.1.0"
// The chip of any name that --tpu takes ("TPU v5 lite"), as prt_machine_options has it ("v5e").
// NULL: there is none.
PRT_API const char *pallasc_chip(const char *name);

// The exit statuses of the program.
typedef enum pallasc_status {
  PALLASC_OK = 0,
  PALLASC_FAULT = 1,   // of the source
  PALLASC_USAGE = 2,   // of the arguments
  PALLASC_MACHINE = 3, // files, memory, tools
  PALLASC_INTERNAL = 4 // a mistake in the compiler
} pallasc_status;

// A source that is in memory: where the arguments name `path`, this text is taken, not the file of
// that name. Messages call it by the path.
typedef struct pallasc_text {
  const char *path;
  const char *text;
  size_t length; // in bytes
} pallasc_text;

typedef struct pallasc_result pallasc_result;

// Does what the command line would do: an object, a shared library (which runs cc), a stage as text
// (--emit), run, check. NULL if there is no memory even for the result.
PRT_API pallasc_result *pallasc_compile(size_t count, const char *const *arguments,
                                        size_t text_count, const pallasc_text *texts);
// Compiles one source for this process and loads the code; the entry points are in the result.
// Options that ask for an output are refused. NULL as above.
PRT_API pallasc_result *pallasc_load(size_t count, const char *const *arguments, size_t text_count,
                                     const pallasc_text *texts);
// Frees the result and its code, of which no call may be running. NULL is ignored.
PRT_API void pallasc_free(pallasc_result *result);

PRT_API pallasc_status pallasc_status_of(const pallasc_result *result);
// Errors and warnings as the program prints them to standard error, without colour; "" if there are
// none.
PRT_API const char *pallasc_diagnostics(const pallasc_result *result);
// The same as JSON, one object a line, as --error-format=json gives them:
// {"severity","message","option","file","line","column","end_line","end_column","frames","notes",
// "help", of a finding its "kind"}; "" if there are none.
PRT_API const char *pallasc_diagnostics_json(const pallasc_result *result);
// What the source printed while it was traced or run.
PRT_API const char *pallasc_printed(const pallasc_result *result);
// What was made for standard output: a stage as text, an object of "-o -". It ends in a NUL byte
// that does not count; `length` may be NULL.
PRT_API const char *pallasc_made(const pallasc_result *result, size_t *length);

// Of pallasc_load: the entry points, in the order of the source.
PRT_API size_t pallasc_entry_count(const pallasc_result *result);
// NULL if there are not so many.
PRT_API const prt_entry *pallasc_entry_at(const pallasc_result *result, size_t which);
// NULL if there is none of that name.
PRT_API const prt_entry *pallasc_find_entry(const pallasc_result *result, const char *name);

#ifdef __cplusplus
}
#endif
#endif
