// Every shipped recipe, at its test size, gives the pinned values: at 1, 2 and 7 threads and every SIMD level.
// TEPUI_UPDATE_GOLDEN=1 writes tests/golden/recipes.txt anew after an intended change.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "tepui/graph/evaluate.h"
#include "tepui/output/plan.h"
#include "tests/support/support.h"

namespace tepui::golden_test {

namespace {

constexpr const char* golden_file = "tests/golden/recipes.txt";

std::vector<std::string> shipped_recipes() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("recipes"))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

/// "recipe#node" -> hash, of all nodes.
std::map<std::string, std::string> hashes_of(const std::string& path) {
  const Plan recipe = plan(load_recipe(path, {.test_size = true}));
  std::vector<int> all;
  for (size_t i = 0; i < recipe.nodes.size(); ++i) all.push_back(static_cast<int>(i));
  ValueCache cache(0);
  std::map<std::string, std::string> hashes;
  for (const NodeReport& node : evaluate(recipe, all, cache, {}).nodes)
    hashes[path + "#" + node.name] = node.hash.text();
  return hashes;
}

/// The same, computed once for the tests that want no more than these.
const std::map<std::string, std::string>& known_hashes_of(const std::string& path) {
  static std::map<std::string, std::map<std::string, std::string>> known;
  const auto [at, is_new] = known.try_emplace(path);
  if (is_new) at->second = hashes_of(path);
  return at->second;
}

}  // namespace

TEST(Golden, EveryRecipeGivesThePinnedValues) {
  std::map<std::string, std::string> pinned, found;
  std::ifstream file(golden_file);
  for (std::string name, hash; file >> name >> hash;) pinned[name] = hash;
  for (const std::string& path : shipped_recipes())
    for (const auto& [name, hash] : known_hashes_of(path)) found[name] = hash;
  if (std::getenv("TEPUI_UPDATE_GOLDEN") != nullptr) {
    std::ofstream out(golden_file);
    for (const auto& [name, hash] : found) out << name << ' ' << hash << '\n';
  }
  EXPECT_FALSE(found.empty());
  for (const auto& [name, hash] : found) EXPECT_EQ(pinned[name], hash) << name;
  for (const auto& [name, hash] : pinned) EXPECT_TRUE(found.contains(name)) << name << " is pinned but not made";
}

TEST(Golden, EveryNodeChangesItsInput) {
  for (const std::string& path : shipped_recipes()) {
    const Plan recipe = plan(load_recipe(path, {.test_size = true}));
    const auto& hashes = known_hashes_of(path);
    for (const Node& node : recipe.nodes) {
      // At a coarse test size there may be nothing loose that could fall.
      if (node.op->name == "fall") continue;
      for (const auto& port : node.inputs)
        for (const Reference& reference : port)
          EXPECT_NE(hashes.at(path + "#" + node.name),
                    hashes.at(path + "#" + recipe.nodes[static_cast<size_t>(reference.node)].name))
              << path << "#" << node.name << " does nothing at its test size";
    }
  }
}

TEST(Golden, EveryRecipeIsTheSameForAnyThreadCountAndLevel) {
  for (const std::string& path : shipped_recipes()) {
    SCOPED_TRACE(path);
    test::expect_same_bits([&] {
      Hasher hasher;
      for (const auto& [name, hash] : hashes_of(path)) hasher.add(name).add(hash);
      return hasher.finish();
    });
  }
}

}  // namespace tepui::golden_test
