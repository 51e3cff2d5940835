// Names that mean more to some library than a file's name, and places that no recipe may write to.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/trust/trust.h"

namespace tepui::test::names_test {

namespace {

/// A port of this machine that nobody should call.
class Listener {
 public:
  Listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(socket_, 8), 0);
    EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~Listener() { close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const std::string& address() const { return address_; }
  bool called() const { return accept(socket_, nullptr, nullptr) >= 0; }

 private:
  int socket_;
  std::string address_;
};

std::string recipe_with_output(const std::string& name) {
  return R"({ "tepui": 1, "world": { "size": 10, "resolution": 9 }, "nodes": { "a": { "op": "noise" } },
    "outputs": { ")" +
         name + R"(": "a" } })";
}

std::string recipe_that_reads(const std::string& name) {
  return R"({ "tepui": 1, "world": { "size": 10, "resolution": 9 }, "nodes": { "a": { "op": "read", "file": )" +
         nlohmann::json(name).dump() + R"( } }, "outputs": { "a.tif": "a" } })";
}

}  // namespace

TEST(Names, VirtualFilesAreNeitherReadNorFetched) {
  const TemporaryFolder folder;
  const Listener listener;
  must_run({"make", "noise", "--resolution", "9", "-o", "land.tif", "-o", "land.npy"}, folder.path());
  const std::string url = "http://" + listener.address() + "/x";
  Words names{"/vsimem/x.tif",        "/vsistdin/x.tif",       "/vsizip/land.zip/x.tif", "/vsisubfile/0_100,land.tif",
              "GTIFF_DIR:1:land.tif", "GTIFF_RAW:land.tif",    "NETCDF:land.nc:x.nc",    "NETCDF:\"land.nc\":x.nc",
              "AAIGrid:land.asc",     "<VRTDataset>.tif",      "HDF5:land.nc4",          "/vsigzip/land.tif",
              "EHdr:land.bil",        "/vsitar/land.tar/x.nc", "CACHE:land.nc",          "/vsis3/bucket/x.tif"};
  for (const char* ending : {".tif", ".nc", ".nc4", ".cdf", ".asc", ".hgt", ".png", ".exr", ".npy", ".bil", ".obj"}) {
    names.push_back(url + ending);
    names.push_back("/vsicurl/" + url + ending);
    names.push_back("/vsicurl?url=" + url + ending);
    names.push_back("NETCDF:" + url + ending);
  }
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Outcome outcome = run_program({"convert", name, "x.glb"}, folder.path());
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "x.glb") || contains(outcome.err, name)) << outcome.err;
  }
  for (const std::string& name : {names[0], names[4], names[5], names[16], names[17], names[19]}) {
    EXPECT_EQ(run_program({"info", name}, folder.path()).exit_code, 2) << name;
    put(folder / "read.json", recipe_that_reads(name));
    const Outcome outcome = run_program({"run", "read.json"}, folder.path());
    EXPECT_EQ(outcome.exit_code, 2) << name << outcome.err;
  }
  EXPECT_FALSE(listener.called());
}

TEST(Names, AFileThatIsCalledLikeAVirtualOneIsThatFile) {
  const TemporaryFolder folder;
  const Listener listener;
  must_run({"make", "noise", "--resolution", "9", "-o", "land.tif"}, folder.path());
  must_run({"make", "noise", "--resolution", "5", "-o", "other.tif"}, folder.path());
  const std::string remote = "GTIFF_DIR:1:/vsicurl/http:/" + listener.address();
  fs::create_directories(folder / remote);
  for (const std::string& name : Words{"GTIFF_DIR:1:land.tif", "GTIFF_RAW:land.tif", remote + "/x.tif"}) {
    fs::copy_file(folder / "other.tif", folder / name);
    EXPECT_EQ(must_run({"info", name, "--json"}, folder.path()).json()["width"], 5) << name;
  }
  EXPECT_FALSE(listener.called());
}

TEST(Names, VirtualFilesAreNotWritten) {
  const TemporaryFolder folder;
  const Listener listener;
  must_run({"make", "noise", "--resolution", "9", "-o", "land.tif"}, folder.path());
  for (const char* ending : {".tif", ".png", ".exr", ".asc", ".npy", ".r16", ".glb", ".obj"})
    for (const std::string& start :
         {std::string("/vsimem/x"), "/vsicurl/http://" + listener.address() + "/x", std::string("/vsistdout/x")}) {
      const Outcome outcome = run_program({"convert", "land.tif", start + ending}, folder.path());
      EXPECT_EQ(outcome.exit_code, 2) << start << ending;
      expect_one_message(outcome.err, start + ending);
    }
  EXPECT_FALSE(listener.called());
}

TEST(Names, RecipesWriteInsideTheirFolderOnly) {
  const TemporaryFolder folder;
  for (const std::string& name :
       Words{folder / "up.tif", "../up.tif", "a/../../up.tif", "a/../up.tif", "..", ".", "", "/", "//up.tif", "a/",
             "/vsimem/up.tif", "a\\u0000b.tif", "a\\nb.tif", "a\\u001bb.tif"}) {
    put(folder / "r.json", recipe_with_output(name));
    for (const Words& words : {Words{"check", "r.json"}, Words{"run", "r.json"}}) {
      const Outcome outcome = run_program(words, folder.path());
      EXPECT_EQ(outcome.exit_code, 2) << name << outcome.err;
      expect_one_message(outcome.err, "r.json");
    }
  }
  EXPECT_EQ(files_of(folder.path()).size(), 1u);
}

TEST(Names, LinkedFoldersDoNotLeadRecipesOut) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "elsewhere/deep");
  fs::create_directories(folder / "out/inside");
  fs::create_symlink(folder / "elsewhere", folder / "out/link");
  fs::create_symlink("../elsewhere/deep", folder / "out/relative");
  fs::create_symlink("inside", folder / "out/home");
  fs::create_symlink("out", folder / "alias");
  for (const std::string& name : Words{"link/a.tif", "relative/a.tif", "link/deep/new/a.tif"}) {
    put(folder / "r.json", recipe_with_output(name));
    const Outcome outcome = run_program({"run", "r.json", "-o", "out"}, folder.path());
    EXPECT_EQ(outcome.exit_code, 2) << name << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "a symbolic link leads out of 'out'")) << outcome.err;
  }
  EXPECT_EQ(files_of(folder / "elsewhere").size(), 0u);
  EXPECT_FALSE(fs::exists(folder / "elsewhere/deep/new"));
  // A link to a place inside leads nowhere else, and whoever runs the recipe may choose a linked folder.
  put(folder / "r.json", recipe_with_output("home/a.tif"));
  must_run({"run", "r.json", "-o", "out"}, folder.path());
  EXPECT_TRUE(fs::exists(folder / "out/inside/a.tif"));
  put(folder / "r.json", recipe_with_output("sub/b.tif"));
  must_run({"run", "r.json", "-o", "alias"}, folder.path());
  EXPECT_TRUE(fs::exists(folder / "out/sub/b.tif"));
}

TEST(Names, ControlCharactersDoNotReachTheTerminal) {
  const TemporaryFolder folder;
  must_run({"make", "noise", "--resolution", "9", "-o", "land.tif"}, folder.path());
  for (const Words& words : {Words{"convert", "land.tif", "a\x1b[31m.tif"}, Words{"info", "a\x1b[31m.tif"},
                             Words{"convert", "a\x1b[31m.tif", "b\x07.asc"}}) {
    const Outcome outcome = run_program(words, folder.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const std::string& text : {outcome.out, outcome.err})
      EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos) << text;
  }
}

TEST(Names, OutputsReplaceFilesAndLinksAndNothingElse) {
  const TemporaryFolder folder;
  must_run({"make", "noise", "--resolution", "9", "-o", "land.tif"}, folder.path());
  put(folder / "target.tif", "mine");
  fs::create_symlink("target.tif", folder / "link.tif");
  fs::create_symlink("nowhere/x.tif", folder / "broken.tif");
  must_run({"convert", "land.tif", "link.tif"}, folder.path());
  must_run({"convert", "land.tif", "broken.tif"}, folder.path());
  EXPECT_EQ(contents(folder / "target.tif"), "mine");
  EXPECT_EQ(contents(folder / "link.tif"), contents(folder / "broken.tif"));

  fs::create_symlink("/dev/null", folder / "null.tif");
  ASSERT_EQ(mkfifo((folder / "pipe.tif").c_str(), 0600), 0);
  fs::create_directory(folder / "folder.tif");
  for (const std::string& name :
       Words{"null.tif", "pipe.tif", "folder.tif", "missing/x.tif", "land.tif/x.tif", std::string(300, 'x') + ".tif"}) {
    const Outcome outcome = run_program({"convert", "land.tif", name}, folder.path());
    EXPECT_EQ(outcome.exit_code, 2) << name;
    expect_one_message(outcome.err, name);
  }
  EXPECT_TRUE(fs::is_fifo(folder / "pipe.tif"));
  EXPECT_EQ(count_temporary(folder.path()), 0u);
}

}  // namespace tepui::test::names_test
