// Table mountains made by the library: what the command
//   tepui make 'circular_faults faults=300 radius=1..700 height=400 | materials count=5 | gradation erosion=0.65' \
//     --world 2048 --resolution 513 --seed 7 -o mesa.tif
// makes, to the bit.
#include <tepui/core/version.h>
#include <tepui/erode/gradation.h>
#include <tepui/generate/circular_faults.h>
#include <tepui/geology/materials.h>
#include <tepui/io/raster/geotiff.h>
#include <tepui/terrain/statistics.h>

#include <exception>
#include <iostream>
#include <string>

namespace {

void make_mesa(const std::string& path) {
  const tepui::Context context;  // silent; a sink given here hears of the progress
  const tepui::Frame world = tepui::make_world({2048, 2048}, 513);

  tepui::CircularFaultsParams faults;
  faults.faults = 300;
  faults.radius = {tepui::metres(1), tepui::metres(700)};
  faults.height = tepui::metres(400);
  faults.seed.recipe = 7;

  const tepui::Terrain massif = tepui::circular_faults(world, faults, context);
  const tepui::Terrain rock = tepui::materials(massif, nullptr, {.count = 5}, context);
  const tepui::Terrain mesa = tepui::gradation(rock, nullptr, {.erosion = 0.65}, context);
  tepui::write_geotiff(path, mesa, mesa.layers(), context);

  const tepui::LayerStatistics heights = tepui::statistics(mesa.height(), context);
  std::cout << "Tepui " << tepui::version << ": " << path << ", " << tepui::frame_text(world) << "\n"
            << "heights from " << heights.min << " to " << heights.max << " m, mean " << heights.mean << " m\n";
}

}  // namespace

int main(int argc, char** argv) {
  try {
    make_mesa(argc > 1 ? argv[1] : "mesa.tif");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
