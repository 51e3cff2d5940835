#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/core/params.h"

namespace tepui {

/// Describes the latitude and longitude of parameters, at which `of` lies. `sweep`: three latitudes that show it, if
/// any.
template <class P>
void describe_place(Fields<P>& f, const std::string& of, const std::vector<std::string>& sweep = {}) {
  auto latitude = f("latitude", &P::latitude, Range{-90, 90}, of + "; south is negative").unit("deg");
  if (!sweep.empty()) latitude.sweep(sweep[0], sweep[1], sweep[2]);
  f("longitude", &P::longitude, Range{-360, 360}, of + "; west is negative").unit("deg");
}

}  // namespace tepui
