#include <cmath>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/io/export.h"
#include "tepui/io/inspect.h"
#include "tepui/io/raster/geotiff.h"
#include "tepui/io/read.h"
#include "tests/io/files.h"
#include "tests/planet/earth_heights.h"
#include "tests/support/support.h"

// Real elevation and awkward files from shared/data, where it lies beside the repository. The other tests make files of
// the same kinds themselves.

namespace tepui::data_test {
namespace {

using test::error_of;
using test::shared_data;

ReadParams params(const std::string& path) {
  ReadParams p;
  p.file.path = path;
  return p;
}

struct Known {
  const char* name;
  int64_t width, height;
  double min, max;
  Vec2 cell;
  double void_share;
  const char* crs;
};

void expect_known(const std::string& path, const Known& known) {
  SCOPED_TRACE(path);
  const Terrain land = read(params(path), Context());
  EXPECT_EQ(land.frame().width, known.width);
  EXPECT_EQ(land.frame().height, known.height);
  EXPECT_NEAR(land.relief().base, known.min, 0.006);
  EXPECT_NEAR(land.relief().top, known.max, 0.006);
  EXPECT_NEAR(land.frame().cell.x, known.cell.x, 0.5);
  EXPECT_NEAR(land.frame().cell.y, known.cell.y, 0.5);
  const Layer* voids = land.find("void");
  EXPECT_EQ(voids != nullptr, known.void_share > 0);
  if (voids != nullptr) {
    const auto cells = voids->grid().cells();
    EXPECT_NEAR(static_cast<double>(std::count(cells.begin(), cells.end(), 1.0f)) / static_cast<double>(cells.size()),
                known.void_share, 0.005);
  }
  for (const float z : land.height().cells()) ASSERT_TRUE(z >= known.min - 0.01 && z <= known.max + 0.01);
  const FileInfo info = inspect(path, Context());
  EXPECT_EQ(info.terrain->crs, known.crs);
  EXPECT_NEAR(info.terrain->min.value(), known.min, 0.006);

  // Out and in again: the same bits, the same place.
  const test::TemporaryFolder folder;
  write_geotiff(folder / "a.tif", land, {land.layer("height")}, Context());
  const Terrain back = read(params(folder / "a.tif"), Context());
  EXPECT_EQ(back.relief(), land.relief());
  EXPECT_NEAR(back.frame().geo->origin.x, land.frame().geo->origin.x, 1e-7);
  EXPECT_NEAR(back.frame().geo->origin.y, land.frame().geo->origin.y, 1e-7);
  EXPECT_EQ(inspect(folder / "a.tif", Context()).terrain->nodata_cells, info.terrain->nodata_cells);
  EXPECT_EQ(inspect(folder / "a.tif", Context()).terrain->crs, known.crs);
  EXPECT_TRUE(test::same_cells(back.height(), land.height()));
}

TEST(SharedData, RealElevationHasItsPublishedFigures) {
  const auto data = shared_data();
  if (!data) return;
  for (const Known& known : std::initializer_list<Known>{
           {"zion_srtm90.tif", 465, 457, 1024, 2892, {73.7, 92.5}, 0, "EPSG:4326"},
           {"baltoro_srtm90.tif", 860, 430, 3197, 8569, {75.3, 92.5}, 0, "EPSG:4326"},
           {"bigtujunga_srtm30.tif", 1197, 643, 315, 2295, {30, 30}, 0, "EPSG:32611"},
           {"greenriver_utah_lidar1m.tif", 2000, 1000, 1297.29, 1347.03, {1, 1}, 0, "EPSG:6341"},
           {"point_sal_seacliff_lidar1m.tif", 1136, 726, -0.23, 268.54, {1, 1}, 0.18, "EPSG:26910"},
           {"rainier_srtm90_voids.tif", 1201, 1201, 263, 4371, {63.6, 92.6}, 0.0063, "EPSG:4326"},
           {"etopo1_1deg.tif", 361, 181, -9200, 5855, {111319.5, 110574.3}, 0, "EPSG:4326"},
           {"etopo20.cdf", 1081, 540, -9026.63, 6228.81, {37106.5, 36858.1}, 0, "EPSG:4326"},
           {"N00E010.hgt", 1201, 1201, 1, 1005, {92.8, 92.1}, 0, "EPSG:4326"},
           {"meghalaya_plateau_50m.bil", 1800, 1056, 2, 1964, {50, 50}, 0.086, "EPSG:32646"},
           {"west_bijou_escarpment_30m.asc", 129, 67, 1690, 1807, {24, 30.8}, 0, "EPSG:4326"},
           {"topobathy.npz", 120, 91, -1437, 2205, {2439.1, 2431.6}, 0, "EPSG:4326"},
           {"jacksboro_fault_dem.npz", 403, 344, 236, 1076, {74.4, 92.5}, 0, "EPSG:4326"}})
    expect_known(*data + "/dem/" + known.name, known);
}

TEST(SharedData, PngElevationHasItsPublishedFigures) {
  const auto data = shared_data();
  if (!data) return;
  ReadParams p = params(*data + "/dem/sthelens_10m_png16.png");
  p.scale = 0.1;
  p.cell = metres(10);
  const Terrain helens = read(p, Context());
  EXPECT_NEAR(helens.relief().base, 567.5, 1e-4);
  EXPECT_NEAR(helens.relief().top, 2538.2, 1e-3);
  EXPECT_EQ(helens.frame().size, (Vec2{19990, 19990}));

  p = params(*data + "/dem/montblanc_srtm90_png16.png");
  p.range = {454, 4810};
  p.cell = metres(92.7);
  const Terrain blanc = read(p, Context());
  EXPECT_EQ(blanc.relief(), (Relief{454, 4810}));
  EXPECT_EQ(blanc.frame().width, 647);

  // The image's right is north: the river, in the gorge, comes from the east and is lowest in the west.
  p = params(*data + "/dem/grand_canyon_8bit_rotated.png");
  p.orientation = Orientation::turn_left;
  const Terrain canyon = read(p, Context());
  EXPECT_EQ(canyon.relief().top, 254);
  EXPECT_EQ(inspect(p.file.path, Context()).terrain->max, 254);
  EXPECT_NE(
      error_of([&] { read(params(*data + "/dem/goldengate_terrarium_12_654_1582.png"), Context()); }).find("colour"),
      std::string::npos);
}

TEST(SharedData, TidalMarshHasNoSystemAndAPositiveNodata) {
  const auto data = shared_data();
  if (!data) return;
  const Terrain marsh = read(params(*data + "/dem/tidal_marsh_2m.asc"), Context());
  EXPECT_EQ(marsh.frame().cell, (Vec2{2, 2}));
  EXPECT_NEAR(marsh.relief().base, -2.61, 0.005);
  EXPECT_NEAR(marsh.relief().top, 8.46, 0.005);
  EXPECT_EQ(marsh.frame().geo, nullptr);
  EXPECT_EQ(void_cells(marsh), 35152);
}

TEST(SharedData, WebTilesJoinAtTheirEdges) {
  const auto data = shared_data();
  if (!data) return;
  const auto tile = [&](const char* name) {
    ReadParams p = params(*data + "/dem/goldengate_terrarium_" + name + ".png");
    p.encoding = PngEncoding::terrarium;
    return read(p, Context());
  };
  const Terrain west = tile("12_654_1582"), east = tile("12_655_1582"), south = tile("12_654_1583");
  EXPECT_NEAR(west.relief().base, -114.25, 1e-6);
  EXPECT_NEAR(west.frame().cell.x, 30.2, 0.1);
  const Georeference &w = *west.frame().geo, &e = *east.frame().geo, &s = *south.frame().geo;
  EXPECT_NEAR(e.origin.x - w.origin.x, 256 * w.step.x, 1e-6);
  EXPECT_NEAR(w.origin.y - s.origin.y, 256 * w.step.y, 1e-6);
  // Land goes on over the edge: neighbours across it differ no more than neighbours within.
  double across = 0, within = 0;
  for (int64_t y = 0; y < 256; ++y) {
    across += std::abs(static_cast<double>(west.height()(255, y)) - static_cast<double>(east.height()(0, y)));
    within += std::abs(static_cast<double>(west.height()(254, y)) - static_cast<double>(west.height()(255, y)));
  }
  EXPECT_LT(across, 2 * within);
}

TEST(SharedData, EveryBadFileIsReadOrRefusedByName) {
  const auto data = shared_data();
  if (!data) return;
  for (const auto& entry : std::filesystem::directory_iterator(*data + "/bad")) {
    const std::string path = entry.path().string();
    for (const bool whole : {true, false}) {
      pool_reset_peak();
      const size_t before = pool_use().peak;
      try {
        if (whole)
          read(params(path), Context());
        else
          inspect(path, Context());
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::request) << error.what();
        EXPECT_NE(std::string(error.what()).find(entry.path().filename().string()), std::string::npos) << error.what();
      }
      EXPECT_LT(pool_use().peak - before, size_t{64} << 20) << path;
    }
  }
}

TEST(SharedData, AwkwardTextGridsAreReadOrRefused) {
  const auto data = shared_data();
  if (!data) return;
  const Terrain commas = read(params(*data + "/bad/asc_pixel_per_line_comma.asc"), Context());
  EXPECT_EQ(commas.frame().width, 15);
  EXPECT_EQ(commas.frame().height, 12);
  EXPECT_EQ(commas.relief(), (Relief{0, 3450}));
  for (const char* name :
       {"made_asc_2e9_columns.asc", "made_asc_half_the_rows.asc", "made_asc_all_nodata.asc", "made_hgt_odd_length.hgt"})
    EXPECT_NE(error_of([&] { read(params(*data + "/bad/" + name), Context()); }).find(name), std::string::npos) << name;
}

TEST(SharedData, DamagedFilesAreRefused) {
  const auto data = shared_data();
  if (!data) return;
  for (const char* name : {"tif_byte_truncated.tif", "tif_corrupted_deflate_singlestrip.tif", "tif_lzw_corrupted.tif",
                           "tif_excessive-memory-TIFFFillStrip.tif", "tif_huge4GB.tif", "tif_huge-number-strips.tif",
                           "tif_tiled_bad_offset.tif", "tif_fuzz_divide_by_zero.tif", "tif_fuzz_oom.tif",
                           "tif_cint16.tif", "tif_geomatrix.tif", "tif_uint16_nodata_65535_bigtiff.tif",
                           "png_xhdn0g08_bad_header_crc.png", "png_xdtn0g01_no_idat.png",
                           "png_xs1n0g01_bad_signature.png", "made_png16_cut_in_idat.png", "made_png_2e9_square.png"}) {
    pool_reset_peak();
    const size_t before = pool_use().peak;
    EXPECT_NE(error_of([&] { read(params(*data + "/bad/" + name), Context()); }).find(name), std::string::npos) << name;
    EXPECT_LT(pool_use().peak - before, size_t{64} << 20) << name;
  }
  for (const char* name : {"glb_truncated_chunk_data.glb", "glb_empty_file.glb"})
    EXPECT_NE(error_of([&] { inspect(*data + "/bad/" + name, Context()); }).find(name), std::string::npos) << name;
}

TEST(SharedData, UnusualFilesAreReadRight) {
  const auto data = shared_data();
  if (!data) return;
  const auto land = [&](const char* name) { return read(params(*data + "/bad/" + name), Context()); };
  const auto voids = [](const Terrain& terrain) {
    const auto cells = terrain.layer("void").grid().cells();
    return std::count(cells.begin(), cells.end(), 1.0f);
  };
  for (const char* name : {"tif_nan32.tif", "tif_nan32_nodata.tif"}) {
    EXPECT_EQ(land(name).relief(), (Relief{50, 58})) << name;
    EXPECT_EQ(voids(land(name)), 10) << name;
  }
  EXPECT_EQ(land("tif_stats_nodata_neginf.tif").relief(), (Relief{-2, 1}));
  EXPECT_EQ(land("tif_float32_with_nodata_slightly_above_float_max.tif").frame().width, 100);
  for (const char* name :
       {"tif_float64.tif", "tif_int16_big_endian.tif", "tif_float32_LZW_predictor_3.tif", "tif_byte_lerc.tif"}) {
    EXPECT_EQ(land(name).relief(), (Relief{74, 255})) << name;
    EXPECT_EQ(land(name).frame().origin, (Vec2{440750, 3750150})) << name;
  }
  EXPECT_EQ(land("tif_non_square_pixels.tif").frame().cell, (Vec2{1, 0.5}));
  EXPECT_EQ(land("tif_negative_scaley.tif").frame().origin, (Vec2{440750, 3751290}));
  const FileInfo interlaced = inspect(*data + "/bad/png_basi0g16_interlaced_valid.png", Context());
  EXPECT_EQ(interlaced.terrain->width, 32);
  EXPECT_EQ(interlaced.terrain->min, 0);
  EXPECT_EQ(interlaced.terrain->max, 65535);
}

}  // namespace
// What planets are compared with is the real map.
TEST(SharedData, HeightsOfTheEarthAreThoseOfItsMap) {
  const std::optional<std::string> folder = shared_data();
  if (!folder) GTEST_SKIP() << "shared/data is not here";
  const Terrain map = read(params(*folder + "/dem/etopo1_1deg.tif"), Context());
  const Grid<float>& height = map.height();
  std::vector<double> bins(std::size(test::earth_heights), 0);
  double all = 0;
  for (int64_t y = 0; y < height.height(); ++y) {
    const double area =
        math::cos(math::pi * ((static_cast<double>(y) + 0.5) / static_cast<double>(height.height()) - 0.5));
    for (int64_t x = 0; x < height.width(); ++x) {
      const auto bin =
          static_cast<int>(std::floor((static_cast<double>(height(x, y)) - test::earth_lowest) / test::earth_bin));
      bins[static_cast<size_t>(std::clamp(bin, 0, static_cast<int>(bins.size()) - 1))] += area;
      all += area;
    }
  }
  double likeness = 0;
  for (size_t k = 0; k < bins.size(); ++k) likeness += std::min(bins[k] / all, test::earth_heights[k]);
  EXPECT_GT(likeness, 0.985);
}

}  // namespace tepui::data_test
