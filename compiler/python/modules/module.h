// SPDX-License-Identifier: Apache-2.0
// Modules that pallasc provides. A module is natives in C and, where it can be written in the
// language, a prelude whose globals are the module's own (the natives are visible in it by name):
// the file compiler/library/A/B.pk is that of the module A.B, and all of a module without natives.
// It is parsed and run when a name is asked for that the natives do not have, so that a small file
// pays for nothing.
#pragma once
#include "python/core/eval.h"

// A file of the library, which the build makes data of the program.
typedef struct LibraryFile {
  const char *module; // "jax.numpy"
  const char *text;
  size_t size;
} LibraryFile;
extern const LibraryFile library_files[]; // ends with a NULL module

// A name that is known and not supported, with why or what to use instead.
typedef struct NotSupported {
  const char *name;
  const char *why; // "not yet supported" if NULL
} NotSupported;

typedef struct ModuleDef {
  const char *name;                             // "jax.numpy"
  const NativeDef *functions;                   // ends with a NULL signature; or NULL
  void (*init)(Eval *ev, ModuleObject *module); // sets constants and types; or NULL
  const NotSupported *not_supported;            // ends with a NULL name; or NULL
  const char *attributes; // the module whose attribute_of(native, name) knows more attributes of
                          // the functions; or NULL
  const char
      *alias_of; // this name is another module: "jax._src.lax" -> "jax.lax"; then all else is NULL
} ModuleDef;

// A name that a .pk file knows without an import.
typedef struct CustomaryName {
  const char *name, *module, *attribute; // attribute NULL: the module itself
} CustomaryName;

// What one floor provides. The arrays stay the floor's.
typedef struct ModuleTable {
  const ModuleDef *const *defs;
  size_t count;
  const char *const *absent; // names that can be imported and hold nothing; their use is an error
  size_t absent_count;
  const CustomaryName *customary;
  size_t customary_count;
} ModuleTable;
// Before the first import.
void modules_register(Eval *ev, const ModuleTable *table);
void std_register(Eval *ev); // the language's own table (std_register.c)

// import a.b.c; raises ModuleNotFoundError. Gives the last module. Submodules are bound in their
// parents.
ModuleObject *module_import(Eval *ev, Str dotted);
// An attribute of a module: dict, natives, prelude, submodule, __getattr__; V_UNBOUND if there is
// none. A name in not_supported raises NotImplementedError "'jax.numpy.foo' is not yet supported"
// at the place of use.
Value module_getattr(Eval *ev, ModuleObject *module, Name name);
void module_set(Eval *ev, ModuleObject *module, const char *name, Value value);
// The object NAME of module DOTTED: for C code that needs a prelude's function or class.
Value module_lookup(Eval *ev, const char *dotted, const char *name);
struct Suggestion;
void module_suggest_customary(Eval *ev, struct Suggestion *s);
