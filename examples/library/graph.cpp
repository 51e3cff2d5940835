// A graph built and evaluated by a program: the land of mesa.cpp as nodes, computed, changed and computed again. Only
// what the change reaches is computed a second time; the rest comes from the cache.
#include <tepui/graph/evaluate.h>
#include <tepui/io/raster/geotiff.h>
#include <tepui/recipe/compose.h>
#include <tepui/terrain/statistics.h>

#include <exception>
#include <iostream>
#include <string>

namespace {

tepui::Graph mesa_graph() {
  tepui::Graph graph;
  graph.seed = 7;
  graph.world.size = {2048, 2048};
  graph.world.resolution = 513;
  const int faults =
      tepui::add_operator(graph, "faults", "circular_faults", {"faults=300", "radius=1..700", "height=400"});
  const int rock = tepui::add_operator(graph, "rock", "materials", {"count=5"}, {{"in", faults}});
  tepui::add_operator(graph, "mesa", "gradation", {"erosion=0.65"}, {{"in", rock}});
  return graph;
}

tepui::Terrain evaluate(const tepui::Graph& graph, tepui::ValueCache& cache, const tepui::Context& context) {
  const tepui::Evaluation done = tepui::evaluate(graph, {graph.find_node("mesa")}, cache, context);
  for (const tepui::NodeReport& node : done.nodes)
    std::cout << "  " << node.name << (node.cached ? " was known\n" : " was computed\n");
  const tepui::Terrain land = tepui::get<tepui::Terrain>(done.values.front());
  std::cout << "  mean height " << tepui::statistics(land.height(), context).mean << " m\n";
  return land;
}

void make(const std::string& path) {
  const tepui::Context context;
  tepui::ValueCache cache(size_t{256} << 20);  // bytes of values that are kept in memory
  tepui::Graph graph = mesa_graph();
  std::cout << "first\n";
  const tepui::Terrain mesa = evaluate(graph, cache, context);
  tepui::write_geotiff(path, mesa, mesa.layers(), context);
  tepui::set_parameter(graph, graph.find_node("mesa"), "erosion=0.9");
  std::cout << "with more erosion\n";
  evaluate(graph, cache, context);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    make(argc > 1 ? argv[1] : "graph.tif");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
