#include "tepui/core/colour_map.h"

#include <cmath>

#include "tepui/core/srgb.h"
#include "tests/support/support.h"

namespace tepui::colour_map_test {

namespace {

double distance(Lab a, Lab b) { return std::hypot(a.l - b.l, a.a - b.a, a.b - b.b); }

/// What an eye sees without one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1, on linear light.
constexpr double blindness[3][3][3] = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};
constexpr const char* lacking[] = {"protanopia", "deuteranopia", "tritanopia"};

uint32_t seen(uint32_t rgb, const double (&m)[3][3]) {
  uint32_t out = 0;
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int c = 0; c < 3; ++c)
      sum += m[i][c] * linear_from_srgb(static_cast<double>(rgb >> (16 - 8 * c) & 255u) / 255);
    out = out << 8 | static_cast<uint32_t>(std::lround(255 * srgb_from_linear(std::clamp(sum, 0.0, 1.0))));
  }
  return out;
}

constexpr ColourMap sequential[] = {ColourMap::viridis, ColourMap::cividis, ColourMap::grey, ColourMap::relief,
                                    ColourMap::earth};

std::string name_of(ColourMap map) { return colour_map_names()[static_cast<size_t>(map)]; }

}  // namespace

TEST(ColourMap, LabGoesThereAndBack) {
  EXPECT_NEAR(lab_from_srgb(0xffffff).l, 100, 1e-3);
  EXPECT_NEAR(lab_from_srgb(0x777777).l, 50.03, 0.01);
  for (const uint32_t rgb : {0x000000u, 0xffffffu, 0x440154u, 0xfde725u, 0x808080u, 0x1e90ffu})
    EXPECT_EQ(srgb_from_lab(lab_from_srgb(rgb)), rgb);
}

TEST(ColourMap, LightnessRisesEvenly) {
  for (const ColourMap map : sequential) {
    const double low = lab_from_srgb(colour_at(map, 0)).l, high = lab_from_srgb(colour_at(map, 1)).l;
    EXPECT_GT(high - low, 50) << name_of(map);
    for (int i = 0; i <= 255; ++i) {
      const double t = i / 255.0;
      EXPECT_NEAR(lab_from_srgb(colour_at(map, t)).l, low + (high - low) * t, 0.6) << name_of(map) << " at " << t;
    }
  }
}

TEST(ColourMap, EqualStepsLookEqual) {
  for (const ColourMap map : sequential) {
    double least = 1e9, most = 0;
    for (int i = 0; i < 32; ++i) {
      const double step =
          distance(lab_from_srgb(colour_at(map, i / 32.0)), lab_from_srgb(colour_at(map, (i + 1) / 32.0)));
      least = std::min(least, step);
      most = std::max(most, step);
    }
    EXPECT_LT(most / least, 3.2) << name_of(map) << ": " << least << " to " << most;
  }
}

TEST(ColourMap, OrderOutlastsColourBlindness) {
  for (const ColourMap map : sequential)
    for (size_t kind = 0; kind < 3; ++kind)
      for (int i = 0; i < 24; ++i) {
        const Lab a = lab_from_srgb(seen(colour_at(map, i / 24.0), blindness[kind]));
        const Lab b = lab_from_srgb(seen(colour_at(map, (i + 1) / 24.0), blindness[kind]));
        EXPECT_GT(b.l, a.l) << name_of(map) << " under " << lacking[kind] << ", step " << i;
        EXPECT_GT(distance(a, b), 1.5) << name_of(map) << " under " << lacking[kind] << ", step " << i;
      }
}

TEST(ColourMap, DifferencesAreBalancedAroundWhite) {
  const auto lab = [](double t) { return lab_from_srgb(colour_at(ColourMap::difference, t)); };
  EXPECT_GT(lab(0.5).l, 94);
  EXPECT_LT(std::hypot(lab(0.5).a, lab(0.5).b), 2);
  for (int i = 0; i <= 127; ++i) {
    EXPECT_NEAR(lab(i / 255.0).l, lab((255 - i) / 255.0).l, 0.8) << i;
    if (i > 0) {
      EXPECT_GT(lab(i / 255.0).l, lab((i - 1) / 255.0).l) << i;
    }
  }
}

TEST(ColourMap, SignOfADifferenceOutlastsColourBlindness) {
  for (size_t kind = 0; kind < 3; ++kind)
    for (int i = 0; i < 11; ++i) {
      const Lab below = lab_from_srgb(seen(colour_at(ColourMap::difference, i / 24.0), blindness[kind]));
      const Lab above = lab_from_srgb(seen(colour_at(ColourMap::difference, 1 - i / 24.0), blindness[kind]));
      const Lab nearer = lab_from_srgb(seen(colour_at(ColourMap::difference, (i + 1) / 24.0), blindness[kind]));
      EXPECT_GT(distance(below, above), 50.0 * (12 - i) / 12) << lacking[kind] << ", step " << i;
      EXPECT_GT(nearer.l, below.l) << lacking[kind] << ", step " << i;
    }
}

TEST(ColourMap, CompassClosesTheCircle) {
  const auto lab = [](int i) { return lab_from_srgb(colour_at(ColourMap::compass, i / 255.0)); };
  EXPECT_EQ(colour_at(ColourMap::compass, 0), colour_at(ColourMap::compass, 1));
  double least = 1e9, most = 0;
  for (int i = 0; i < 255; i += 5) {
    const double step = distance(lab(i), lab(i + 5));
    least = std::min(least, step), most = std::max(most, step);
  }
  EXPECT_LT(most / least, 1.5) << least << " to " << most;
  // Opposite directions look different, and so does each from level ground.
  for (int i = 0; i < 128; ++i) EXPECT_GT(distance(lab(i), lab(i + 127)), 50) << i;
  for (int i = 0; i < 255; ++i) EXPECT_GT(distance(lab(i), lab_from_srgb(no_direction_rgb)), 25) << i;
  // From the south-east to the north-west it only gets lighter.
  for (int i = 96; i < 223; ++i) EXPECT_GT(lab(i + 1).l, lab(i).l - 0.6) << i;
}

TEST(ColourMap, HoldsItsEndsBeyondTheRange) {
  for (size_t i = 0; i < colour_map_names().size(); ++i) {
    const ColourMap map = static_cast<ColourMap>(i);
    EXPECT_EQ(colour_at(map, -3), colour_at(map, 0));
    EXPECT_EQ(colour_at(map, 7), colour_at(map, 1));
    EXPECT_EQ(colour_at(map, 0), colour_table(map).front());
    EXPECT_EQ(colour_at(map, 1), colour_table(map).back());
  }
}

}  // namespace tepui::colour_map_test
