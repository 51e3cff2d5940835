#include "tepui/volume/csg_operator.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/volume/tree.h"

namespace tepui {

Volume csg_of(Csg kind, const Volume& in, const std::vector<Volume>& with, double smooth) {
  if (!(smooth >= 0) || !(smooth <= 2 * in.threshold()))
    refuse(fmt::format("'smooth' is {:.4g} m, but must be at most twice the threshold", smooth),
           fmt::format("use at most {:.4g} m", 2 * in.threshold()));
  std::vector<SolidPointer> parts{in.share()};
  Volume all = in;
  for (const Volume& other : with) {
    require_same_threshold(in, other);
    parts.push_back(other.share());
    all = all.with_part(other);
  }
  return all.with_root(csg(kind, std::move(parts), smooth, in.threshold()));
}

}  // namespace tepui
