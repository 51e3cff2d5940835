#include "tepui/erode/thermal.h"

#include "reference/weathering.h"
#include "tests/erode/any_land.h"
#include "tests/support/support.h"

namespace tepui {

namespace {

const Context quiet;

ThermalParams any_thermal() {
  return {*rc::gen::element<int64_t>(0, 1, 5, 60), 0, {*rc::gen::element(0.0, 33.0, 75.0, 89.9)}};
}

}  // namespace

RC_GTEST_PROP(Thermal, EqualsTheReference, ()) {
  const Terrain land = test::any_worn_land(test::any_frame());
  const ThermalParams p = any_thermal();
  RC_ASSERT(thermal(land, p, quiet).hash() == reference::thermal(land, p).hash());
}

}  // namespace tepui
