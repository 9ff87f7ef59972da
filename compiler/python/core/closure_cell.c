// SPDX-License-Identifier: Apache-2.0
// __closure__ of functions: the variables of functions around them, as cells.
#include "python/values/evaluator_state.h"
#include "closure_cell.h"
#include "python/values/new_value.h"
#include "python/objects/type.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <string.h>

typedef struct Cell {
  Object base;
  Env *env;
  uint32_t slot;
} Cell;

static Value *contents(Value self, Name name) {
  const Cell *cell = (const Cell *)self.o;
  return strcmp(name->text, "cell_contents") == 0 ? &cell->env->slots[cell->slot] : NULL;
}

static Value cell_getattr(Eval *ev, Value self, Name name) {
  const Value *value = contents(self, name);
  if (!value) return v_unbound();
  if (value->kind == V_UNBOUND) eval_raise(ev, ev->types.ValueError, "Cell is empty");
  return *value;
}

static bool cell_setattr(Eval *ev, Value self, Name name, Value value) {
  (void)ev;
  Value *old = contents(self, name);
  if (old) *old = value;
  return old != NULL;
}

void cells_init(Eval *ev) {
  static const TypeSlots slots = {.getattr = cell_getattr, .setattr = cell_setattr};
  ev->core->cell = type_new_native(ev, "builtins", "cell", NULL, &slots, NULL);
}

// Of the first scope outwards that has a variable of this name.
static Value cell_of(Eval *ev, Env *env, Name name) {
  for (; env; env = env->outer) {
    for (uint32_t i = 0; i < env->scope->slot_count; i++) {
      if (env->scope->slots[i] != name) continue;
      Cell *cell = ARENA_NEW(ev->arena, Cell);
      cell->base.type = ev->core->cell;
      cell->env = env;
      cell->slot = i;
      return v_object(cell);
    }
  }
  return v_none();
}

Value function_cells(Eval *ev, const Function *f) {
  if (!f->scope->free_count) return v_none();
  Tuple *cells = tuple_new(ev, f->scope->free_count);
  for (size_t i = 0; i < cells->count; i++)
    cells->items[i] = cell_of(ev, f->closure, f->scope->free[i]);
  return v_object(cells);
}
