#pragma once

#include <string>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class CombineMode { add, subtract, multiply, min, max, mix };

struct CombineParams {
  CombineMode mode = CombineMode::add;
  double amount = 1;             // share of the change that is kept, [0, 1]
  std::string layer = "height";  // of both lands; of `with` its only layer also serves
};
void describe(Fields<CombineParams>&);

/// One land out of two on the same samples, cell by cell: in + w * (r - in), w = amount * mask, where r is
///   add, subtract  in + with, in - with
///   multiply       `in` above its base times the share of relief G of `with` (metres times metres would mean nothing);
///                  on another layer, or by one, the plain product
///   min, max       the lower, the higher
///   mix            with
/// At w = 0 that is `in`, at w = 1 exactly r. Classes are never computed with: min, max and mix pick r where w >= 1/2,
/// the other modes are refused. Masks stay within 0 to 1.
///
/// The height's relief follows by the same rule applied to intervals (add: [base + base, top + top]; subtract:
/// [base - top, top - base]; multiply: that of `in`; min, max, mix: end by end), then `amount` of the way there; with a
/// mask it also spans that of `in`. It stays that of `in` where `with` gives another layer than height. Other layers of
/// `in` are kept.
Terrain combine(const Terrain& in, const Terrain& with, const Terrain* mask, const CombineParams& params,
                const Context& context);

}  // namespace tepui
