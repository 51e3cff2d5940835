#pragma once  // internal

#include "tepui/core/params.h"

namespace tepui {

/// Adds all of a struct's parameters to a key.
template <class P>
void hash_params(Hasher& key, const P& params) {
  const Fields<P>& fields = fields_of<P>();
  const std::vector<ParamValue> values = fields.values(params);
  for (size_t i = 0; i < values.size(); ++i) hash_param(key, fields.table().fields[i], values[i]);
}

}  // namespace tepui
