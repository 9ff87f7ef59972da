// SPDX-License-Identifier: Apache-2.0
// Values that are known, read from the constants that they are or are broadcast from.
#include "constant.h"
#include "attr.h"

const IrValue *ir_broadcast_source(const IrValue *value) {
  while (value->def && value->def->code == OP_BROADCAST) value = value->def->operands[0];
  return value;
}

const IrData *ir_const_data(const IrValue *value) {
  return value->def && value->def->code == OP_CONST ? ir_attr_data(value->def, ATTR_DATA) : NULL;
}

const IrData *ir_const_splat(const IrValue *value) {
  const IrData *data = ir_const_data(ir_broadcast_source(value));
  return data && data->count == 1 ? data : NULL;
}

static const IrData *scalar_data(const IrValue *value) {
  return value->type->rank == 0 ? ir_const_data(value) : NULL;
}

bool ir_const_int(const IrValue *value, int64_t *out) {
  const IrData *data = scalar_data(value);
  if (!data || dtype_is_float(data->dtype)) return false;
  *out = dtype_load_i64(data->dtype, data->bytes);
  return true;
}

bool ir_const_float(const IrValue *value, double *out) {
  const IrData *data = scalar_data(value);
  if (!data || !dtype_is_float(data->dtype)) return false;
  *out = dtype_load_f64(data->dtype, data->bytes);
  return true;
}
