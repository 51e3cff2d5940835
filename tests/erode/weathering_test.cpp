#include "tepui/erode/weathering.h"

#include "reference/weathering.h"
#include "tests/erode/any_land.h"
#include "tests/support/support.h"

namespace tepui {

namespace {

const Context quiet;

}  // namespace

RC_GTEST_PROP(Weathering, EqualsTheReference, ()) {
  const Frame frame = test::any_frame();
  const Terrain land = test::any_worn_land(frame);
  const Geology* rock = test::any_rock();
  const WeatheringParams p = test::any_weathering(frame);
  RC_ASSERT(weathering(land, rock, p, quiet).hash() == reference::weathering(land, rock, p).hash());
}

RC_GTEST_PROP(Weathering, TilesAreNotSeen, ()) {
  const Frame frame = test::any_frame();
  const Terrain land = test::any_worn_land(frame);
  const Geology* rock = test::any_rock();
  const WeatheringParams p = test::any_weathering(frame);
  const TileSize tile{*rc::gen::element<int64_t>(1, 3, 7, 16), *rc::gen::element<int64_t>(1, 2, 5)};
  RC_ASSERT(weathering_in_tiles(land, rock, p, tile, quiet).hash() == weathering(land, rock, p, quiet).hash());
}

}  // namespace tepui
