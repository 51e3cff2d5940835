#include "tepui/graph/disk_cache.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <map>

#include "tepui/graph/evaluate.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/io/raster/png.h"
#include "tepui/output/plan.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::disk_cache_test {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

/// The cache's entries with this ending, ".note" or ".cells".
std::vector<std::string> entries(const std::string& folder, const std::string& ending) {
  std::vector<std::string> paths;
  if (!fs::exists(folder)) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ending) paths.push_back(entry.path().string());
  return paths;
}

Hash key_of(uint64_t number) { return Hasher().add(number).finish(); }

/// Land with a layer of every kind and a place on Earth.
Terrain rich_land(int64_t width, int64_t height, uint64_t seed) {
  const Terrain plain = test::sample_land(width, height, seed);
  Frame frame = plain.frame();
  frame.first_x = 3;
  frame.geo = std::make_shared<const Georeference>(Georeference{"LOCAL_CS[\"x\"]", {1, 2}, {0.5, 0.25}});
  Terrain land(frame, plain.relief());
  land = land.with_height(plain.height().clone());
  Layer rock = make_layer("material", "", LayerKind::category, Grid<float>(width, height, 2.0f));
  rock.classes = 5;
  return land.with(rock).with(make_layer("mask", "", LayerKind::mask, Grid<float>(width, height, 0.5f)));
}

void expect_same(const Terrain& a, const Terrain& b) {
  EXPECT_EQ(a.hash(), b.hash());
  ASSERT_EQ(a.layers().size(), b.layers().size());
  for (size_t i = 0; i < a.layers().size(); ++i)
    EXPECT_TRUE(test::same_cells(a.layers()[i].grid(), b.layers()[i].grid()));
}

/// What is asked of an entry that is not what was written: to be missing, and to be there again once it is.
void expect_replaced(const std::string& path, const std::string& bad, const std::function<bool()>& there,
                     const std::function<void()>& write_again) {
  test::put_bytes(path, bad);
  RC_ASSERT(!there());
  write_again();
  RC_ASSERT(there());
}

/// Another byte somewhere, fewer bytes, more bytes, or others altogether.
std::string damaged(const std::string& good) {
  const auto at = static_cast<size_t>(*rc::gen::inRange<int64_t>(0, static_cast<int64_t>(good.size())));
  std::string bad = good;
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      bad[at] = static_cast<char>(bad[at] ^ *rc::gen::inRange(1, 256));
      return bad;
    case 1:
      return good.substr(0, at);
    case 2:
      return good + good.substr(at);
    default:
      return good.substr(at) + good.substr(0, at) + "x";
  }
}

}  // namespace

RC_GTEST_PROP(DiskCache, GivesBackWhatWasStored, (uint64_t seed)) {
  const TemporaryFolder folder;
  const Terrain land = rich_land(*rc::gen::inRange(1, 40), *rc::gen::inRange(1, 40), seed);
  const NodeFacts facts = facts_of(land);
  RC_ASSERT(facts.hash == land.hash());
  RC_ASSERT(facts.bytes == land.bytes());
  {
    DiskCache cache(folder / "c");
    RC_ASSERT(!cache.load(facts, {}));
    cache.store(land, facts.parts, {});
    cache.put_note(key_of(seed), "a note", {});
  }
  const DiskCache again(folder / "c");
  const std::optional<Value> loaded = again.load(facts, {});
  RC_ASSERT(loaded.has_value());
  expect_same(get<Terrain>(*loaded), land);
  RC_ASSERT(again.find_note(key_of(seed)) == "a note");
  RC_ASSERT(!again.find_note(key_of(seed + 1)));
}

TEST(DiskCache, LargeLayersComeBackWhateverTheirSizeIsAMultipleOf) {
  const TemporaryFolder folder;
  DiskCache cache(folder.path());
  for (const int64_t width : {1024, 1025, 1179}) {
    const Terrain land = test::sample_land(width, 1031, 7);
    const NodeFacts facts = facts_of(land);
    cache.store(land, facts.parts, {});
    const std::optional<Value> loaded = cache.load(facts, {});
    ASSERT_TRUE(loaded);
    expect_same(get<Terrain>(*loaded), land);
  }
  for (const std::string& path : entries(folder.path(), ".cells")) fs::resize_file(path, fs::file_size(path) - 5000);
  EXPECT_FALSE(cache.load(facts_of(test::sample_land(1024, 1031, 7)), {}));
}

RC_GTEST_PROP(DiskCache, FactsComeBack, (uint64_t seed, const std::vector<std::string>& warnings)) {
  NodeFacts facts = facts_of(rich_land(3, 2, seed));
  facts.cost = 1.5;
  facts.warnings = warnings;
  for (const std::string& name : warnings) facts.told.push_back({name, 0.1 * static_cast<double>(name.size()), "m3"});
  const std::string text = facts_text(facts);
  const std::optional<NodeFacts> back = parse_facts(text);
  RC_ASSERT(back.has_value());
  RC_ASSERT(back->hash == facts.hash);
  RC_ASSERT(back->outline == facts.outline);
  RC_ASSERT(back->parts == facts.parts);
  RC_ASSERT(terrain_outline(back->outline).hash() == facts.hash);
  RC_ASSERT(back->frame().geo->crs == "LOCAL_CS[\"x\"]");
  RC_ASSERT(back->cost == 1.5);
  RC_ASSERT(back->warnings == warnings);
  RC_ASSERT(back->told == facts.told);
  RC_ASSERT(
      !parse_facts(text.substr(0, static_cast<size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size()))))));
  parse_facts(damaged(text));  // any answer but a crash: notes carry their own hash
}

RC_GTEST_PROP(DiskCache, DamagedNotesAreNotThereAndGetReplaced, ()) {
  const TemporaryFolder folder;
  DiskCache cache(folder.path());
  const auto write = [&] { cache.put_note(key_of(1), "what is to be kept", {}); };
  write();
  const std::string path = entries(folder.path(), ".note").at(0), good = test::bytes_of(path), bad = damaged(good);
  expect_replaced(
      path, bad, [&] { return cache.find_note(key_of(1)).has_value(); }, write);
  RC_ASSERT(test::bytes_of(path) == good);
}

RC_GTEST_PROP(DiskCache, DamagedCellsAreNotThereAndGetReplaced, (uint64_t seed)) {
  const TemporaryFolder folder;
  DiskCache cache(folder.path());
  const Terrain land = test::sample_land(*rc::gen::inRange(1, 9), *rc::gen::inRange(1, 9), seed);
  const NodeFacts facts = facts_of(land);
  const auto write = [&] { cache.store(land, facts.parts, {}); };
  write();
  const std::string path = entries(folder.path(), ".cells").at(0), good = test::bytes_of(path), bad = damaged(good);
  expect_replaced(
      path, bad, [&] { return cache.load(facts, {}).has_value(); }, write);
  RC_ASSERT(test::bytes_of(path) == good);
}

TEST(DiskCache, EveryPrefixAndEveryFlippedBitIsAMiss) {
  const TemporaryFolder folder;
  DiskCache cache(folder.path());
  const Terrain land = test::sample_land(3, 2, 1);
  const NodeFacts facts = facts_of(land);
  cache.store(land, facts.parts, {});
  cache.put_note(key_of(1), "kept", {});
  for (const char* ending : {".cells", ".note"}) {
    const std::string path = entries(folder.path(), ending).at(0), good = test::bytes_of(path);
    const auto there = [&] {
      return ending == std::string(".note") ? cache.find_note(key_of(1)).has_value()
                                            : cache.load(facts, {}).has_value();
    };
    for (size_t i = 0; i < good.size(); ++i) {
      test::put_bytes(path, good.substr(0, i));
      EXPECT_FALSE(there()) << ending << " cut at " << i;
      std::string flipped = good;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
      test::put_bytes(path, flipped);
      EXPECT_FALSE(there()) << ending << " flipped at " << i;
    }
    test::put_bytes(path, good);
    EXPECT_TRUE(there());
  }
}

TEST(DiskCache, EntriesUnderAnotherNameOrOfAnotherKindAreNotTrusted) {
  const TemporaryFolder folder;
  DiskCache cache(folder.path());
  cache.put_note(key_of(1), "one", {});
  const std::string one = entries(folder.path(), ".note").at(0);
  cache.put_note(key_of(2), "two", {});
  for (const std::string& path : entries(folder.path(), ".note")) {
    if (path == one) continue;
    const std::string bytes = test::bytes_of(one);
    test::put_bytes(path, bytes);
    EXPECT_FALSE(cache.find_note(key_of(2)));
    fs::remove(path);
    fs::create_directory(path);
    EXPECT_FALSE(cache.find_note(key_of(2)));
    fs::remove(path);
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_FALSE(cache.find_note(key_of(2)));
    fs::remove(path);
    fs::create_symlink(one, path);
    EXPECT_FALSE(cache.find_note(key_of(2)));
  }
  EXPECT_EQ(cache.find_note(key_of(1)), "one");
}

TEST(DiskCache, AnOutlineThatClaimsTooMuchTakesNoMemory) {
  const TemporaryFolder folder;
  DiskCache cache(folder.path());
  const Terrain land = test::sample_land(8, 8, 1);
  NodeFacts facts = facts_of(land);
  cache.store(land, facts.parts, {});
  const std::string outline = facts.outline;
  // Its width and height, wherever they stand in the outline.
  const auto claim = [&](int64_t side) {
    const int64_t own = 8;
    std::string bytes = outline;
    for (size_t at = 0; at + sizeof own <= bytes.size(); ++at)
      if (std::memcmp(bytes.data() + at, &own, sizeof own) == 0) std::memcpy(bytes.data() + at, &side, sizeof side);
    return bytes;
  };
  EXPECT_TRUE(cache.load(facts, {}));
  for (const int64_t side : {int64_t{9}, int64_t{1} << 20, int64_t{1} << 31, int64_t{1} << 61}) {
    facts.outline = claim(side);
    EXPECT_NE(facts.outline, outline);
    EXPECT_FALSE(cache.load(facts, {}));
    facts.parts.front().bytes = static_cast<size_t>(side);
    EXPECT_FALSE(cache.load(facts, {}));
    facts.parts = facts_of(land).parts;
  }
}

TEST(DiskCache, TrimKeepsTheBudgetAndTheMostRecentlyUsed) {
  const TemporaryFolder folder;
  constexpr size_t entry = 1 << 16;  // what a small file counts
  DiskCache cache(folder.path(), 10 * entry);
  std::vector<std::string> paths;
  for (uint64_t i = 0; i < 30; ++i) {
    cache.put_note(key_of(i), "note", {});
    for (const std::string& path : entries(folder.path(), ".note"))
      if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
    // A second apart, the older the earlier.
    fs::last_write_time(paths.back(), fs::file_time_type::clock::now() - std::chrono::seconds(100 - i));
  }
  EXPECT_TRUE(cache.find_note(key_of(3)));  // a use makes it the youngest
  cache.trim();
  EXPECT_LE(entries(folder.path(), ".note").size(), 10u);
  EXPECT_GE(entries(folder.path(), ".note").size(), 9u);
  EXPECT_TRUE(cache.find_note(key_of(3)));
  for (uint64_t i = 22; i < 30; ++i) EXPECT_TRUE(cache.find_note(key_of(i))) << i;
  EXPECT_FALSE(cache.find_note(key_of(0)));

  // What is written counts towards the next trim, also where other programs wrote it.
  for (uint64_t i = 100; i < 130; ++i) {
    DiskCache other(folder.path(), 10 * entry);
    other.put_note(key_of(i), "note", {});
    other.settle();
    EXPECT_LE(entries(folder.path(), ".note").size(), 10u);
  }
}

TEST(DiskCache, TrimLeavesForeignFilesAlone) {
  const TemporaryFolder folder;
  DiskCache cache(folder.path(), 1);
  cache.put_note(key_of(1), "note", {});
  const fs::path note = entries(folder.path(), ".note").at(0);
  const std::string hex = note.stem().string();
  fs::create_directories(folder / "ab/cd");
  const std::vector<std::string> foreign = {folder / "thesis.txt",
                                            folder / "ab/thesis.note",
                                            folder / "ab/cd/x.cells",
                                            (note.parent_path() / (hex + ".notes")).string(),
                                            (note.parent_path() / (hex.substr(1) + ".note")).string(),
                                            (note.parent_path() / (hex + ".12-3.tmp")).string()};
  for (const std::string& path : foreign) test::put_bytes(path, "mine");
  const std::string abandoned = (note.parent_path() / (hex + ".12-4.tmp")).string();
  test::put_bytes(abandoned, "left by a crash");
  fs::last_write_time(abandoned, fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.trim();
  EXPECT_FALSE(fs::exists(note));
  EXPECT_FALSE(fs::exists(abandoned));
  for (const std::string& path : foreign) EXPECT_EQ(test::bytes_of(path), "mine") << path;
}

TEST(DiskCache, AFolderThatCannotBeWrittenOnlyWarnsOnce) {
  const TemporaryFolder folder;
  test::put_bytes(folder / "file", "");
  DiskCache cache(folder / "file/cache");
  test::WarningSink sink;
  for (uint64_t i = 0; i < 3; ++i) cache.put_note(key_of(i), "note", sink.context());
  cache.settle();
  cache.trim();
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_NE(sink.warnings[0].find("file/cache"), std::string::npos) << sink.warnings[0];
}

TEST(DiskCache, AFullDiskOnlyWarnsAndLeavesNothingHalf) {
  const TemporaryFolder folder;
  DiskCache cache(folder.path());
  const Terrain land = test::sample_land(64, 64, 1);
  test::WarningSink sink;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  cache.store(land, facts_of(land).parts, sink.context());
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(sink.warnings.size(), 1u);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) EXPECT_TRUE(entry.is_directory());
}

}  // namespace tepui::disk_cache_test
