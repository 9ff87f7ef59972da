// SPDX-License-Identifier: Apache-2.0
// Modules that pallasc provides. A module is natives in C and, where it can be written in the
// language, a prelude whose globals are the module's own (the natives are visible in it by name):
// the file compiler/library/A/B.pk is that of the module A.B, and all of a module without natives.
// It is parsed and run when a name is asked for that the natives do not have, so that a small file
// pays for nothing.
#pragma once
#include "python/objects/module_def.h"

// A file of the library, which the build makes data of the program.
typedef struct LibraryFile {
  const char *module; // "jax.numpy"
  const char *text, *end;
} LibraryFile;
extern const LibraryFile library_files[]; // ends with a NULL module

// A name that a .pk file knows without an import.
typedef struct CustomaryName {
  const char *name, *module, *attribute; // attribute NULL: the module itself
} CustomaryName;

// A name that a module below one of `parents` lacks is looked for in `modules`, best first, for the
// hint of the message. Both end with NULL.
typedef struct ModuleFamily {
  const char *const *parents, *const *modules;
} ModuleFamily;

// What one floor provides. The arrays stay the floor's.
typedef struct ModuleTable {
  const ModuleDef *const *defs;
  size_t count;
  const char *const *absent; // names that can be imported and hold nothing; their use is an error
  size_t absent_count;
  const CustomaryName *customary;
  size_t customary_count;
  const ModuleFamily *families;
  size_t family_count;
  // The package whose public modules are facades, as in Python: they show what others define, so
  // that what a program sets there is not seen by the package itself (patch.h); or NULL.
  const char *facade;
  // What to say of a public module that the facade has where it is installed, and that is not
  // provided: it is read there (EvalOptions.site_packages). NULL: the package is all there is.
  const char *elsewhere;
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
// "did you mean 'jax.nn.gelu'?", of a name that `asked` lacks and a module of its families has;
// empty if there is none.
Str module_elsewhere_hint(Eval *ev, const ModuleObject *asked, Name name);
struct Suggestion;
// The same of a name that is nearer to the one that was asked for than what was suggested yet.
Str module_suggest_elsewhere(Eval *ev, const ModuleObject *asked, struct Suggestion *s);
void module_suggest_customary(Eval *ev, struct Suggestion *s);
// What lies below a provided module, whether or not it has been imported.
void module_suggest_children(Eval *ev, const ModuleObject *module, struct Suggestion *s);
// The import statement that a .py file says for a customary name; empty if it is none.
Str module_customary_import(Eval *ev, Name name);

void module_init(Eval *ev); // module.c
// A global of a running module: its dict, its natives, the customary names, the builtins.
Value global_lookup(Eval *ev, ModuleObject *module, Name name);
const ModuleDef *module_def(Eval *ev, Name name); // NULL if we provide no such module
// ModuleTable.elsewhere of the package that a module or package of this dotted name is of, or NULL.
const char *module_elsewhere(const Eval *ev, Str name);
const NotSupported *module_not_supported(Eval *ev, const ModuleObject *module, Name name);
Value make_unsupported(Eval *ev, const ModuleObject *module, Name name, const char *why);
bool module_is_absent(Eval *ev, Name name); // in a table of absent ones
void module_run(Eval *ev, ModuleObject *module, const StmtList *body);
