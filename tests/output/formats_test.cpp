// The table of formats, and what is written by it: to disk and to memory, for every kind of value.
#include "tepui/io/formats.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tepui/graph/evaluate.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/read_value.h"
#include "tepui/recipe/one_liner.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::formats_test {
namespace {

using test::bytes_of;
using test::TemporaryFolder;
using Keys = std::set<std::string>;

/// A small value of each kind that files hold.
struct Sample {
  Value value;
  Setting around;
};

Sample sample_of(const Kind& kind) {
  if (kind.name == Image::kind_name) {
    Image image;
    image.width = 5, image.height = 3, image.channels = 3;
    image.pixels.assign(45, 90);
    image.light.assign(60, 0.5f);
    return {image, {}};
  }
  const auto line = std::make_shared<const Source>(Source{"example", output_kind(kind).example});
  Overrides overrides;
  overrides.resolution = 21;
  const Recipe recipe = build_recipe(parse_one_liner(*line, {}), {line}, overrides);
  ValueCache cache(0);
  const Evaluation done = evaluate(recipe, {static_cast<int>(recipe.nodes.size()) - 1}, cache, Context());
  return {done.values.front(), {recipe.world.frame(), {}, {}}};
}

/// Calls act(format, kind) for everything that can be written.
template <class Act>
void for_each_written(const Act& act) {
  for (const Kind& kind : kinds())
    for (const FileFormat& format : file_formats())
      if (format.writes(kind.name)) {
        SCOPED_TRACE(kind.name + " as " + format.name);
        act(format, kind);
      }
}

}  // namespace

TEST(Formats, EveryRowHasWhatItsKindsNeed) {
  for (const FileFormat& format : file_formats()) {
    SCOPED_TRACE(format.name);
    EXPECT_FALSE(format.endings.empty() || format.kinds.empty() || format.holds.empty());
    EXPECT_EQ(format.open != nullptr, format.reads(Terrain::kind_name));
    EXPECT_EQ(format.write != nullptr, format.writes(Terrain::kind_name));
    EXPECT_EQ(format.parse_mesh != nullptr, format.reads(Mesh::kind_name));
    EXPECT_EQ(format.write_mesh != nullptr, format.writes(Mesh::kind_name));
    EXPECT_EQ(format.write_lines != nullptr, format.writes(Lines::kind_name));
    EXPECT_EQ(format.write_grid != nullptr, format.writes(Geology::kind_name));
    for (const Holding& holding : format.kinds) {
      EXPECT_TRUE(holding.read || holding.written);
      EXPECT_TRUE(holding.written || holding.options.empty());
      EXPECT_NO_THROW(kind_named(holding.kind));
    }
  }
}

TEST(Formats, AnEndingMeansOneFormatForAKindOfValue) {
  for (const Kind& kind : kinds())
    for (const auto& endings : {reading_endings(kind.name), writing_endings(kind.name)})
      EXPECT_EQ(std::set<std::string>(endings.begin(), endings.end()).size(), endings.size()) << kind.name;
  // A file tells by its ending which kind of value it holds.
  Keys read;
  for (const Kind& kind : kinds())
    for (const std::string& ending : reading_endings(kind.name)) EXPECT_TRUE(read.insert(ending).second) << ending;
}

TEST(Formats, MemoryHoldsTheBytesThatDiskWouldAndRecordsTheirHash) {
  for (const Kind& kind : kinds()) {
    if (writing_endings(kind.name).empty()) continue;
    const Sample sample = sample_of(kind);
    for (const std::string& ending : writing_endings(kind.name)) {
      // Only of points: tests/io/scattered_points_test.cpp.
      if (kind.name == Lines::kind_name && ending == ".glb") continue;
      SCOPED_TRACE(kind.name + ending);
      const TemporaryFolder folder;
      const std::string name = "thing" + ending;
      ExportRequest to_disk{.path = folder / name};
      MemoryFiles files;
      ExportRequest to_memory{.path = name, .memory = &files};
      const std::vector<FileRecord> stored = write_value(sample.value, to_disk, sample.around, Context());
      const std::vector<FileRecord> held = write_value(sample.value, to_memory, sample.around, Context());
      ASSERT_EQ(stored.size(), held.size());
      for (size_t i = 0; i < stored.size(); ++i) {
        const std::string bytes = bytes_of(folder / stored[i].name);
        EXPECT_FALSE(bytes.empty());
        EXPECT_EQ(files.at(held[i].name), bytes) << held[i].name;
        for (const FileRecord& record : {stored[i], held[i]}) {
          EXPECT_EQ(record.bytes, bytes.size());
          EXPECT_EQ(record.hash, hash_bytes(bytes.data(), bytes.size()));
        }
      }
      // What stands beside, too: headers, reference systems.
      for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        EXPECT_EQ(files.count(entry.path().filename().string()), 1u) << entry.path();
    }
  }
}

TEST(Formats, InfoHasOneShapeForAFileAndAValue) {
  const auto keys = [](const std::string& text) {
    Keys found;
    const auto object = nlohmann::json::parse(text);
    for (const auto& [key, value] : object.items()) found.insert(key);
    return found;
  };
  for_each_written([&](const FileFormat& format, const Kind& kind) {
    if (!format.reads(kind.name)) return;
    const TemporaryFolder folder;
    const Sample sample = sample_of(kind);
    for (const std::string& ending : format.endings) {
      const std::string path = folder / ("a" + ending);
      write_value(sample.value, {.path = path}, sample.around, Context());
      EXPECT_EQ(keys(file_info(path, {}, Context())), keys(output_kind(kind).info(sample.value, Context()))) << ending;
    }
  });
}

TEST(Formats, WhatIsWrittenIsReadBackAsTheSameKind) {
  for_each_written([&](const FileFormat& format, const Kind& kind) {
    if (!format.reads(kind.name)) return;
    const TemporaryFolder folder;
    const Sample sample = sample_of(kind);
    const std::string path = folder / ("a" + format.endings.front());
    write_value(sample.value, {.path = path}, sample.around, Context());
    EXPECT_EQ(&read_value(path, {}, Context()).kind(), &kind);
    EXPECT_EQ(&kind_of_file(path), &kind);
  });
}

}  // namespace tepui::formats_test
