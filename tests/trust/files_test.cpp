// Files of any kind, given to the program: read, or refused with one message, soon, and in little memory.
#include <sys/stat.h>

#include <algorithm>
#include <iostream>

#include "tests/io/files.h"
#include "tests/trust/trust.h"

namespace tepui::test::files_test {

namespace {

constexpr size_t gibibyte = size_t{1} << 30;

/// The files of a folder of shared/data, where this machine has it.
Words shared_files(const std::string& folder) {
  const auto data = shared_data();
  if (!data) {
    std::cout << "not checked: shared/data is not here\n";
    return {};
  }
  Words files;
  for (const auto& entry : fs::directory_iterator(*data + "/" + folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty());
  return files;
}

/// However bad the file is.
Outcome expect_sane_end(const Words& words, const std::string& folder, const std::string& file) {
  Outcome outcome = run_program(words, folder);
  SCOPED_TRACE(testing::Message() << words.front() << " " << file << ": " << outcome.exit_code << "\n" << outcome.err);
  EXPECT_TRUE(outcome.exit_code >= 0 && outcome.exit_code <= 2);
  EXPECT_LT(outcome.peak_memory, gibibyte);
  if (outcome.exit_code != 0) expect_one_message(outcome.err, file);
  return outcome;
}

/// A small land in every format that is written, by ending; some of them with a file beside.
void make_every_format(const std::string& folder) {
  Words words{"make", "noise", "--resolution", "9"};
  for (const char* ending : {"tif", "png", "exr", "npy", "asc", "r16", "r32", "glb", "obj", "ply", "stl"})
    words.insert(words.end(), {"-o", std::string("land.") + ending});
  must_run(words, folder);
  must_run({"convert", "land.tif", "cog.tif", "--out", "cog=true"}, folder);
}

}  // namespace

TEST(Files, RealLandIsReadOrNamesTheOptionItNeeds) {
  const TemporaryFolder folder;
  for (const std::string& file : shared_files("dem")) {
    if (file.ends_with(".hdr") || file.ends_with(".prj")) continue;
    SCOPED_TRACE(file);
    const bool colours = contains(file, "terrarium");
    for (const Words& words : {Words{"info", file}, Words{"convert", file, "x.tif"}, Words{"convert", file, "x.png"}}) {
      const Outcome outcome = expect_sane_end(words, folder.path(), file);
      EXPECT_EQ(outcome.exit_code, colours ? 2 : 0);
      if (colours) {
        EXPECT_TRUE(contains(outcome.err, "encoding=terrarium")) << outcome.err;
      }
    }
    if (!colours) continue;
    must_run({"convert", file, "x.tif", "--in", "encoding=terrarium"}, folder.path());
  }
}

TEST(Files, BadOnesEndWithOneMessage) {
  const TemporaryFolder folder;
  for (const std::string& file : shared_files("bad")) {
    std::vector<Words> commands{{"info", file}, {"convert", file, contains(file, ".gl") ? "x.obj" : "x.tif"}};
    commands.push_back({"render", file, "-o", "x.png", "--size", "64x64"});
    if (file.ends_with(".json")) commands.insert(commands.end(), {{"check", file}, {"run", file}});
    for (const Words& words : commands) expect_sane_end(words, folder.path(), file);
  }
  EXPECT_EQ(count_temporary(folder.path()), 0u);
}

TEST(Files, CutOffOnesAreRefused) {
  const TemporaryFolder folder;
  make_every_format(folder.path());
  fs::create_directory(folder / "cut");
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string(), bytes = contents(entry.path().string());
    if (!entry.is_regular_file() || name.ends_with(".json") || name.ends_with(".hdr")) continue;
    const Words words{"info", "cut/" + name, "--json"};
    put(folder / "cut/" + name, bytes);
    const std::string whole = must_run(words, folder.path()).out;
    for (const size_t length : {size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
      put(folder / "cut/" + name, bytes.substr(0, length));
      const Outcome outcome = expect_sane_end(words, folder.path(), "cut/" + name);
      // The last byte may be a line's end, or for others than us.
      if (length + 1 < bytes.size() || outcome.exit_code != 0)
        EXPECT_EQ(outcome.exit_code, 2) << name << " of " << length;
      else
        EXPECT_EQ(outcome.out, whole) << name;
    }
  }
}

TEST(Files, OthersInTheirClothesAreRefused) {
  const TemporaryFolder folder;
  make_every_format(folder.path());
  const std::string secret = contents(folder / "land.tif");
  const std::string source = R"(<SimpleSource><SourceFilename relativeToVRT="1">land.tif</SourceFilename>)"
                             "<SourceBand>1</SourceBand></SimpleSource>";
  const std::string dressed = R"(<VRTDataset rasterXSize="9" rasterYSize="9"><VRTRasterBand dataType="Float32" )"
                              R"(band="1">)" +
                              source + "</VRTRasterBand></VRTDataset>";
  for (const char* ending : {"tif", "tiff", "png", "asc", "hgt", "nc",  "nc4", "bil", "img", "dat",
                             "npy", "npz",  "exr", "r16", "r32", "glb", "obj", "ply", "stl", "vrt"}) {
    const std::string name = std::string("dressed.") + ending;
    put(folder / name, dressed);
    for (const Words& words : {Words{"info", name}, Words{"convert", name, "x.glb"}})
      EXPECT_EQ(expect_sane_end(words, folder.path(), name).exit_code, 2) << name;
  }
  EXPECT_EQ(contents(folder / "land.tif"), secret);
}

TEST(Files, WhatIsNoRegularFileIsRefusedWithoutWaiting) {
  const TemporaryFolder folder;
  for (const char* ending : {"tif", "png", "asc", "nc", "npy", "npz", "exr", "r16", "bil", "obj", "glb", "json"}) {
    const std::string pipe = std::string("pipe.") + ending, zero = std::string("zero.") + ending,
                      inner = std::string("folder.") + ending;
    ASSERT_EQ(mkfifo((folder / pipe).c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", folder / zero);
    fs::create_directory(folder / inner);
    for (const std::string& name : {pipe, zero, inner}) {
      const Words words = name.ends_with(".json") ? Words{"check", name} : Words{"info", name};
      EXPECT_EQ(expect_sane_end(words, folder.path(), name).exit_code, 2) << name;
    }
  }
}

TEST(Files, TextInThemCannotReachTheTerminal) {
  const TemporaryFolder folder;
  put(folder / "a.dat", std::string(2 * 2 * 4, '\0'));
  put(folder / "a.hdr",
      "ENVI\nsamples = 2\nlines = 2\nbands = 1\ndata type = 4\ninterleave = bsq\nbyte order = 0\n"
      "band names = {\x1b]0;mine\x07}\n");
  for (const Words& words : {Words{"info", "a.dat"}, Words{"convert", "a.dat", "x.tif"},
                             Words{"convert", "a.dat", "x.tif", "--in", "layer=none"}}) {
    const Outcome outcome = run_program(words, folder.path());
    EXPECT_FALSE(contains(outcome.out + outcome.err, "\x1b")) << outcome.out << outcome.err;
  }
  EXPECT_TRUE(contains(run_program({"info", "a.dat"}, folder.path()).out, "mine"));
}

}  // namespace tepui::test::files_test
