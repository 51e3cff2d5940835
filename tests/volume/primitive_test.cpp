#include "tepui/volume/primitive.h"

#include "tepui/volume/volume.h"
#include "tests/support/support.h"

namespace tepui {

TEST(Primitives, OneStrokeIsItsOwnFalloff) {
  Primitive stroke;
  stroke.skeleton = {{10, 20, 30}};
  stroke.falloff = 8;
  stroke.energy = 15;
  const Volume volume(blended({}, {stroke}, 7.5), 7.5);
  EXPECT_EQ(volume.value({10, 20, 30}), 7.5f);
  EXPECT_NEAR(volume.value({14, 20, 30}), 15 * 0.421875 - 7.5, 1e-4);
  EXPECT_EQ(volume.value({18, 20, 30}), -7.5f);
  EXPECT_NEAR(volume.gradient({14, 20, 30}).x, -15 * 6 * 0.5625 * 4 / 64, 1e-4);
}

}  // namespace tepui
