#pragma once  // internal

#include <optional>

#include "tepui/core/params.h"

namespace tepui {

/// The parameter `sea_level`, which all operators on water have in common.
template <class P>
void describe_sea_level(Fields<P>& f) {
  f("sea_level", &P::sea_level, Range{-1e7, 1e7}, "land at or below it is sea; auto: the world's sea, if it has one")
      .unit("m")
      .slider(0, 1000)
      .sea_level();
}

}  // namespace tepui
