// A disk that is full, a folder that is closed, a program that is killed: the old file or the new one, never half.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <set>

#include "tests/io/files.h"
#include "tests/trust/trust.h"

namespace tepui::test::disk_test {

namespace {

constexpr size_t page = 4096, roomy = size_t{64} << 20;
/// A limit on files is one on the message, too, which goes to a file here.
constexpr size_t message_room = 1000;

size_t pages(size_t bytes) { return (bytes + page - 1) / page * page; }

/// This process and those it starts get mounts of their own, which go with it.
bool own_mounts() {
  static const bool done = unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return done;
}

/// A disk with as little room as wanted. Where nothing can be mounted, files may only be that large.
class SmallDisk {
 public:
  SmallDisk() {
    const std::string options = "size=" + std::to_string(roomy);
    mounted_ = own_mounts() && mount("none", folder_.path().c_str(), "tmpfs", 0, options.c_str()) == 0;
    if (!mounted_) std::cout << "not checked on a small disk, which cannot be mounted here: by a limit on files\n";
  }
  ~SmallDisk() {
    if (mounted_) umount2(folder_.path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  std::string operator/(const std::string& name) const { return folder_ / name; }
  bool mounted() const { return mounted_; }

  void leave(size_t bytes) {
    room_ = bytes;
    if (!mounted_) return;
    const int file = open((folder_ / ballast).c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct statvfs now {};
    EXPECT_EQ(statvfs(folder_.path().c_str(), &now), 0);
    const size_t free = now.f_bavail * now.f_bsize;
    EXPECT_GE(free, bytes);
    if (free > bytes) {
      EXPECT_EQ(posix_fallocate(file, 0, static_cast<off_t>(free - bytes)), 0);
    }
    close(file);
  }
  /// All files but the one that takes the room.
  Files files() const {
    fs::remove(folder_ / ballast);
    return files_of(folder_.path());
  }
  void empty() {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove_all(entry.path());
  }
  Outcome run(const Words& words, const std::string& folder,
              const std::map<std::string, std::string>& more = {}) const {
    const Words through =
        mounted_ ? Words{} : Words{"prlimit", "--fsize=" + std::to_string(std::max(room_, message_room))};
    return Program(words, folder, more, through).finish();
  }

 private:
  static constexpr const char* ballast = "ballast";
  TemporaryFolder folder_;
  size_t room_ = 0;
  bool mounted_ = false;
};

/// The program without root's right to write anywhere.
Words without_privilege() {
  if (geteuid() != 0) return {};
  return {"setpriv", "--bounding-set=-all", "--inh-caps=-all"};
}

/// A failure that the disk had: exit 1, one message, and the file it names is the old one.
void expect_disk_failure(const Outcome& outcome, const Files& now, const Files& old) {
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  std::string named;
  for (const auto& [name, bytes] : old)
    if (contains(outcome.err, "/" + name + "'")) named = name;
  ASSERT_NE(named, "") << outcome.err;
  EXPECT_TRUE(now.at(named) == old.at(named)) << named;
}

/// Every file on the disk is whole: the old one or the new one.
void expect_whole_files(const Files& now, const Files& old, const Files& made) {
  for (const auto& [name, bytes] : now) {
    const bool is_old = old.contains(name) && old.at(name) == bytes,
               is_new = made.contains(name) && made.at(name) == bytes;
    EXPECT_TRUE(is_old || is_new) << name << " of " << bytes.size() << " bytes";
  }
  for (const auto& [name, bytes] : old) EXPECT_TRUE(now.contains(name)) << name << " is gone";
}

/// Converts to the disk with less and less room; `more` are further words.
void fill_up_while_writing(SmallDisk& disk, const std::string& folder, const std::string& name, const Words& more) {
  SCOPED_TRACE(name);
  const auto words = [&](const std::string& path) {
    Words all{"convert", "land.tif", path};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  fs::create_directory(folder + "/whole");
  must_run(words("whole/" + name), folder);
  const auto made = files_of(folder + "/whole");
  fs::remove_all(folder + "/whole");
  size_t main = 0, all = 0;
  for (const auto& [file, bytes] : made) {
    main = std::max(main, bytes.size());
    all += pages(bytes.size());
  }
  ASSERT_GT(main, 4 * page);

  // Enough is more than the files themselves: a cloud optimised GeoTIFF is made of another file.
  const size_t enough = 2 * all;
  std::vector<size_t> rooms{0, page, main / 2, (main - 1) / page * page, enough};
  if (disk.mounted()) rooms.insert(rooms.end(), {all - 2 * page, all - page, all});
  for (const size_t room : rooms) {
    SCOPED_TRACE(testing::Message() << "with room for " << room << " bytes of " << main << " and " << all);
    disk.empty();
    Files old;
    for (const auto& [file, bytes] : made) put(disk / file, old[file] = "the old " + file);
    disk.leave(room);
    const Outcome outcome = disk.run(words(disk / name), folder);
    const auto now = disk.files();
    expect_whole_files(now, old, made);
    if (room < main) expect_disk_failure(outcome, now, old);
    if (room == enough) {
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    }
    if (outcome.exit_code == 0) {
      EXPECT_TRUE(now == made);
    }
  }
}

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

constexpr int kills_each_way = 62;
constexpr size_t ways = 5;

struct Tally {
  int kills = 0, amid = 0, saved = 0;
};

void prepare_saves(const std::string& folder) {
  for (const char* seed : {"1", "2"})
    must_run({"make", "noise", "--resolution", "257", "--seed", seed, "-o", std::string("land") + seed + ".tif"},
             folder);
  put(folder + "/r.json", R"({ "tepui": 1, "world": { "size": 640, "resolution": 129 },
    "nodes": { "a": { "op": "noise" }, "m": { "op": "materials", "in": "a" }, "b": { "op": "gradation", "in": "m" } },
    "outputs": { "b.tif": "b", "b.png": "b", "b.glb": "b", "b.exr": "b" } })");
}

/// Ways to save one of two results into a folder.
Words save(size_t way, int which, const std::string& to, const std::string& cache = "cache") {
  const std::string number = std::to_string(which);
  if (way == 0) return {"run", "r.json", "--seed", number, "-o", to, "--cache", cache};
  Words words{"convert", "land" + number + ".tif", to + "/x"};
  constexpr const char* endings[ways] = {"", ".tif", ".exr", ".obj", ".tif"};
  words.back() += endings[way];
  if (way == 4) words.insert(words.end(), {"--out", "cog=true"});
  return words;
}

std::set<std::string> temporary_files(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".tmp") names.insert(entry.path().string());
  return names;
}

Files saved_files(const std::string& folder) {
  Files files = files_of(folder);
  std::erase_if(files, [](const auto& file) { return file.first.ends_with(".tmp"); });
  return files;
}

/// Kills it so many seconds after it began or, as that is a small part of the whole, after it began to save. Returns
/// whether a save was cut short.
bool kill_at_some_moment(const Words& words, const std::string& folder, const std::string& to, double delay,
                         bool from_save) {
  const std::set<std::string> before = temporary_files(to);
  const auto saving = [&] {
    const std::set<std::string> now = temporary_files(to);
    return !std::includes(before.begin(), before.end(), now.begin(), now.end());
  };
  Program program(words, folder);
  while (from_save && !program.ended() && !saving()) usleep(200);
  const auto began = std::chrono::steady_clock::now();
  while (!program.ended() && seconds_since(began) < delay) usleep(200);
  program.send(SIGKILL);
  program.finish();
  return saving();
}

void kill_while_saving(size_t way, const std::string& folder, Tally& tally) {
  Files made[2];
  double longest = 0;
  const std::string to = "out" + std::to_string(way), at = folder + "/" + to;
  fs::create_directory(at);
  for (const int which : {2, 1}) {
    const auto began = std::chrono::steady_clock::now();
    must_run(save(way, which, to, "another"), folder);
    longest = std::max(longest, seconds_since(began));
    made[which - 1] = files_of(at);
  }
  static std::mt19937 random(3);
  Files before = made[0];
  for (int i = 0; i < kills_each_way; ++i) {
    const int which = 1 + (i + 1) % 2;
    const bool from_save = i % 4 < 2;
    const double delay = std::uniform_real_distribution<double>(0, from_save ? longest / 4 : longest)(random);
    tally.amid += kill_at_some_moment(save(way, which, to), folder, at, delay, from_save);
    ++tally.kills;
    const Files now = saved_files(at);
    tally.saved += now != before && now == made[which - 1];
    before = now;
    EXPECT_EQ(now.size(), made[0].size());
    for (const auto& [name, bytes] : now)
      EXPECT_TRUE(made[0][name] == bytes || made[1][name] == bytes) << name << " is half";
  }
  // One of the two has something to write, and sweeps away what the others left.
  for (const int which : {1, 2}) {
    must_run(save(way, which, to), folder);
    const Files now = saved_files(at);
    EXPECT_EQ(now.size(), made[which - 1].size());
    for (const auto& [name, bytes] : now) EXPECT_TRUE(made[which - 1][name] == bytes) << name << " after the kills";
  }
  EXPECT_TRUE(temporary_files(at).empty());
}

}  // namespace

TEST(FullDisk, LeavesTheOldFileInEveryFormat) {
  const TemporaryFolder folder;
  SmallDisk disk;
  must_run({"make", "noise", "--resolution", "129", "-o", "land.tif"}, folder.path());
  for (const char* name :
       {"x.tif", "x.png", "x.exr", "x.npy", "x.asc", "x.r16", "x.r32", "x.glb", "x.obj", "x.ply", "x.stl"})
    fill_up_while_writing(disk, folder.path(), name, {});
  must_run({"make", "noise", "--resolution", "600", "-o", "land.tif"}, folder.path());
  fill_up_while_writing(disk, folder.path(), "cog.tif", {"--out", "cog=true"});
  fill_up_while_writing(disk, folder.path(), "t_{x}_{y}.png", {"--out", "tiles=1,1"});
}

TEST(FullDisk, LeavesTheOldManifest) {
  const TemporaryFolder folder;
  SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "skipped: no small disk";
  must_run({"make", "noise", "--resolution", "33", "-o", "land.tif"}, folder.path());
  const size_t image = pages(fs::file_size(folder / "land.tif"));
  put(disk / "x.tif.manifest.json", "old");
  disk.leave(image);
  const Outcome outcome = disk.run({"convert", "land.tif", disk / "x.tif"}, folder.path());
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, disk / "x.tif.manifest.json")) << outcome.err;
  const auto now = disk.files();
  EXPECT_EQ(now.at("x.tif.manifest.json"), "old");
  EXPECT_TRUE(now.at("x.tif") == contents(folder / "land.tif"));
  EXPECT_EQ(now.size(), 2u);
}

TEST(FullDisk, LeavesTheOldFilesOfARun) {
  const TemporaryFolder folder;
  SmallDisk disk;
  must_run({"run", "mesa", "--resolution", "65", "--set", "samples=1", "-o", "whole"}, folder.path());
  const auto made = files_of(folder / "whole");
  size_t largest = 0;
  Files old;
  for (const auto& [name, bytes] : made) {
    largest = std::max(largest, bytes.size());
    old[name] = "the old " + name;
  }
  for (const size_t room : {size_t{0}, largest / 2, largest - 1}) {
    disk.empty();
    fs::create_directory(disk / "out");
    for (const auto& [name, bytes] : old) put(disk / "out/" + name, bytes);
    disk.leave(room);
    const Outcome outcome =
        disk.run({"run", "mesa", "--resolution", "65", "--set", "samples=1", "-o", disk / "out"}, folder.path());
    disk.files();
    const auto now = files_of(disk / "out");
    expect_whole_files(now, old, made);
    expect_disk_failure(outcome, now, old);
  }
}

TEST(FullDisk, OfTheCacheOnlyWarns) {
  const TemporaryFolder folder;
  SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "skipped: no small disk";
  const Words words{"run", "mesa", "--resolution", "65", "--set", "samples=1"};
  Words plain = words;
  plain.insert(plain.end(), {"--no-cache", "-o", "plain"});
  must_run(plain, folder.path());
  for (const size_t room : {size_t{0}, page, 5 * page, 20 * page}) {
    SCOPED_TRACE(room);
    disk.empty();
    disk.leave(room);
    Words cached = words;
    cached.insert(cached.end(), {"--cache", disk / "cache", "-o", "cached"});
    for (int again = 0; again < 2; ++again) {
      const Outcome outcome = disk.run(cached, folder.path());
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      if (again == 0) {
        EXPECT_TRUE(contains(outcome.err, "warning: ")) << outcome.err;
      }
      EXPECT_EQ(files_of(folder / "plain"), files_of(folder / "cached"));
      fs::remove_all(folder / "cached");
    }
    EXPECT_EQ(count_temporary(disk / "."), 0u);
  }
}

TEST(FullDisk, OfAnAnswerIsTold) {
  const TemporaryFolder folder;
  for (const Words& words : {Words{"schema"}, Words{"presets"}, Words{"ops", "--json"}, Words{"--help"},
                             Words{"--version"}, Words{"run", "--help"}}) {
    const Outcome outcome = Program(words, folder.path(), {}, {"sh", "-c", "exec \"$0\" \"$@\" >/dev/full"}).finish();
    EXPECT_EQ(outcome.exit_code, 1) << words.front();
    EXPECT_TRUE(contains(outcome.err, "cannot write to")) << outcome.err;
  }
}

TEST(FullDisk, OfMessagesStopsNothing) {
  const TemporaryFolder folder;
  const Words through{"sh", "-c", "exec \"$0\" \"$@\" 2>/dev/full"};
  const auto code = [&](const Words& words) { return Program(words, folder.path(), {}, through).finish().exit_code; };
  EXPECT_EQ(code({"make", "noise", "--resolution", "9", "-o", "a.tif", "-o", "a.png"}), 0);
  EXPECT_EQ(code({"convert", "a.png", "b.tif", "--in", "cell=2"}), 0);
  EXPECT_EQ(code({"info", "missing.tif"}), 2);
  EXPECT_EQ(code({"make", "nois"}), 2);
  EXPECT_EQ(code({"info", "missing.tif", "--json"}), 2);
}

TEST(ClosedFolder, IsRefusedByTheFilesName) {
  const TemporaryFolder folder;
  must_run({"make", "noise", "--resolution", "9", "-o", "land.tif"}, folder.path());
  must_run({"make", "noise", "--resolution", "9", "-o", "land.glb"}, folder.path());
  fs::create_directory(folder / "closed");
  put(folder / "closed/x.tif", "mine");
  fs::permissions(folder / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  Words names{"x.tif",   "new.png", "new.exr", "new.asc", "new.npy",
              "new.r16", "new.glb", "new.obj", "new.ply", "new.stl"};
  for (const std::string& name : names)
    for (const std::string& from : Words{"land.tif", "land.glb"}) {
      if (from == "land.glb" && name.ends_with("r16")) continue;
      const Outcome outcome =
          Program({"convert", from, "closed/" + name}, folder.path(), {}, without_privilege()).finish();
      EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
      expect_one_message(outcome.err, "closed/" + name);
    }
  const Outcome run = Program({"run", "mesa", "--resolution", "9", "--set", "samples=1", "-o", "closed/out"},
                              folder.path(), {}, without_privilege())
                          .finish();
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_TRUE(contains(run.err, "closed/out")) << run.err;
  const Outcome cached = Program({"run", "mesa", "--resolution", "9", "--set", "samples=1", "--cache", "closed/cache"},
                                 folder.path(), {}, without_privilege())
                             .finish();
  EXPECT_EQ(cached.exit_code, 0) << cached.err;
  EXPECT_TRUE(contains(cached.err, "warning: cannot write to the cache")) << cached.err;
  put(folder / "secret.tif", contents(folder / "land.tif"));
  fs::permissions(folder / "secret.tif", fs::perms::none);
  const Outcome unread = Program({"info", "secret.tif"}, folder.path(), {}, without_privilege()).finish();
  EXPECT_EQ(unread.exit_code, 2);
  expect_one_message(unread.err, "secret.tif");
  fs::permissions(folder / "closed", fs::perms::owner_all);
  EXPECT_EQ(files_of(folder / "closed"), (Files{{"x.tif", "mine"}}));
}

TEST(Kill, LeavesTheOldFilesOrTheNew) {
  const TemporaryFolder folder;
  prepare_saves(folder.path());
  Tally tally;
  for (size_t way = 0; way < ways; ++way) {
    SCOPED_TRACE(testing::Message() << "way " << way);
    kill_while_saving(way, folder.path(), tally);
  }
  std::cout << tally.kills << " kills, " << tally.amid << " of them amid a save; " << tally.saved << " had saved\n";
  EXPECT_GT(tally.amid, 0);
  // The cache clears up after the dead when it is trimmed.
  fs::remove_all(folder / "cache");
  fs::remove_all(folder / "another");
  EXPECT_EQ(count_temporary(folder.path()), 0u);
}

}  // namespace tepui::test::disk_test
