#include "tepui/io/file/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "tepui/core/error.h"
#include "tepui/io/export.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::atomic_file_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::names_in;
using test::put_bytes;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

/// No file of this process may grow beyond `bytes`: what a full disk looks like to a writer.
class FullDisk {
 public:
  explicit FullDisk(size_t bytes) {
    previous_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit now = old_;
    now.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, previous_);
  }

 private:
  rlimit old_{};
  void (*previous_)(int) = nullptr;
};

TEST(AtomicFile, ReplacesTheWholeFile) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", std::string(100000, 'x'));
  write_file(folder / "a.txt", "new");
  EXPECT_EQ(bytes_of(folder / "a.txt"), "new");
  EXPECT_EQ(names_in(folder.path()), Names{"a.txt"});
  write_file(folder / "empty", "");
  EXPECT_EQ(bytes_of(folder / "empty"), "");
}

TEST(AtomicFile, TellsBeforeTheWorkWhatCannotBeWritten) {
  const TemporaryFolder folder;
  write_file(folder / "old.txt", "old");
  for (const std::string& path : {folder / "none/a.txt", folder.path(), folder.path() + "/", std::string("/dev/null")})
    EXPECT_EQ(error_of([&] { check_writable(path); }), error_of([&] { write_file(path, "new"); })) << path;
  check_writable(folder / "new.txt");
  check_writable(folder / "old.txt");
  EXPECT_EQ(names_in(folder.path()), Names{"old.txt"});
  EXPECT_EQ(bytes_of(folder / "old.txt"), "old");
}

TEST(AtomicFile, FailingWriterKeepsTheOldFileAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "old");
  EXPECT_THROW(write_atomically(folder / "a.txt",
                                [](const std::string& temporary) {
                                  test::put_bytes(temporary, "half");
                                  throw std::runtime_error("stop");
                                }),
               std::runtime_error);
  EXPECT_EQ(bytes_of(folder / "a.txt"), "old");
  EXPECT_EQ(names_in(folder.path()), Names{"a.txt"});
}

TEST(AtomicFile, ErrorsNameTheFileAndTheReason) {
  const TemporaryFolder folder;
  const std::string missing = error_of([&] { write_file(folder / "no/a.txt", "x"); });
  EXPECT_NE(missing.find(folder / "no/a.txt"), std::string::npos) << missing;
  EXPECT_NE(missing.find("its folder does not exist"), std::string::npos) << missing;
  std::filesystem::create_directory(folder / "sub");
  EXPECT_NE(error_of([&] { write_file(folder / "sub", "x"); }).find("Is a directory"), std::string::npos);
  EXPECT_NE(error_of([&] { write_file(folder / "", "x"); }).find("not the name of a file"), std::string::npos);
  EXPECT_EQ(names_in(folder.path()), Names{"sub"});
}

TEST(AtomicFile, FolderThatCannotBeWrittenIsRefused) {
  const TemporaryFolder folder;
  // Permissions do not stop root; nobody makes files in /proc.
  const std::string closed = geteuid() == 0 ? "/proc" : folder.path();
  if (geteuid() != 0) chmod(folder.path().c_str(), 0555);
  const std::string message = error_of([&] { write_file(closed + "/a.txt", "x"); });
  chmod(folder.path().c_str(), 0755);
  EXPECT_NE(message.find("cannot write '" + closed + "/a.txt'"), std::string::npos) << message;
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(AtomicFile, DevicesAreNotReplaced) {
  const std::string message = error_of([] { write_file("/dev/null", "x"); });
  EXPECT_NE(message.find("not a regular file"), std::string::npos) << message;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, LostBytesAreNoticedAtTheWriteOrTheClose) {
  ASSERT_TRUE(std::filesystem::exists("/dev/full"));
  const std::string message = error_of([] {
    OutputFile file("/dev/full", "land.bin");
    file.write("x", 1);
    file.close();
  });
  EXPECT_NE(message.find("cannot write 'land.bin': No space left"), std::string::npos) << message;
}

/// Every limit below the file's size must make the export fail and leave the old file as it was.
void expect_all_or_nothing(const std::string& path, const Terrain& old_land, const Terrain& new_land, size_t steps) {
  const size_t whole = export_terrain(new_land, {.path = path}, Context()).bytes;
  export_terrain(old_land, {.path = path}, Context());
  const std::string before = bytes_of(path);
  // The last bytes are the ones that a writer's close may lose.
  std::vector<size_t> limits = {whole - 1, whole - 2, whole - 3, whole - 17};
  for (size_t limit = 0; limit < whole; limit += 1 + whole / steps) limits.push_back(limit);
  for (const size_t limit : limits) {
    SCOPED_TRACE(path + " at " + std::to_string(limit));
    bool failed = false;
    try {
      const FullDisk full(limit);
      export_terrain(new_land, {.path = path}, Context());
    } catch (const Error& error) {
      failed = true;
      EXPECT_EQ(error.kind(), ErrorKind::failure) << error.what();
      EXPECT_NE(error.message().find(path), std::string::npos) << error.what();
    }
    EXPECT_TRUE(failed);
    EXPECT_TRUE(bytes_of(path) == before);
  }
}

TEST(AtomicFile, FullDiskNeverLeavesHalfAFile) {
  const TemporaryFolder folder;
  for (const char* name : {"land.tif", "land.png", "land.glb"})
    expect_all_or_nothing(folder / name, test::sample_land(70, 60, 3), test::sample_land(70, 60, 4), 60);
  // Several tiles, written by several threads.
  expect_all_or_nothing(folder / "land.tif", test::sample_land(600, 300, 3), test::sample_land(600, 300, 4), 12);
  EXPECT_EQ(names_in(folder.path()), (Names{"land.glb", "land.png", "land.tif"}));
}

TEST(AtomicFile, WritersSideBySideLeaveOneWholeFile) {
  const TemporaryFolder folder;
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'i'; ++c)
    writers.emplace_back([&, c] {
      for (int i = 0; i < 10; ++i) write_file(folder / "a.txt", std::string(5000, c));
    });
  for (std::thread& writer : writers) writer.join();
  const std::string bytes = bytes_of(folder / "a.txt");
  EXPECT_EQ(bytes, std::string(5000, bytes.at(0)));
  EXPECT_EQ(names_in(folder.path()), Names{"a.txt"});
}

TEST(AtomicFile, ReadingRefusesWhatIsTooLargeOrNoFile) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "12345");
  EXPECT_EQ(read_file(folder / "a.txt", 5), "12345");
  EXPECT_NE(error_of([&] { read_file(folder / "a.txt", 4); }).find("at most 4 bytes"), std::string::npos);
  EXPECT_NE(error_of([&] { read_file(folder.path(), 4); }).find("Is a directory"), std::string::npos);
  EXPECT_NE(error_of([&] { read_file("/dev/zero", 4); }).find("not a regular file"), std::string::npos);
  EXPECT_NE(error_of([&] { read_file(folder / "b.txt", 4); }).find("No such file"), std::string::npos);
}

TEST(AtomicFile, EnsureFolderMakesAllThatIsMissing) {
  const TemporaryFolder folder;
  ensure_folder(folder / "a/b/c");
  ensure_folder(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  write_file(folder / "file", "x");
  EXPECT_NE(error_of([&] { ensure_folder(folder / "file"); }).find("file'"), std::string::npos);
  EXPECT_NE(error_of([&] { ensure_folder(folder / "file/sub"); }).find("file/sub'"), std::string::npos);
}

TEST(AtomicFile, EndingsAreLowerCaseAndOfTheNameAlone) {
  EXPECT_EQ(file_ending("a/b.c/land.TIF"), ".tif");
  EXPECT_EQ(file_ending("a/b.c/land"), "");
  EXPECT_EQ(file_name("a/b.c/land"), "land");
  EXPECT_EQ(file_name("land"), "land");
}

TEST(AtomicFile, FilesThatALibraryPutsBesideATemporaryOneGoWithItOnly) {
  const TemporaryFolder folder;
  for (const char* name : {".tepui-1-0.tmp", ".tepui-1-0.tmp.ovr.tmp", ".tepui-99-7.tmp", ".tepui-99-7.tmp.ovr.tmp"})
    put_bytes(folder / name, "x");
  const int held = open((folder / ".tepui-99-7.tmp").c_str(), O_RDWR);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  write_file(folder / "a.txt", "new");
  EXPECT_EQ(names_in(folder.path()), (Names{".tepui-99-7.tmp", ".tepui-99-7.tmp.ovr.tmp", "a.txt"}));
  close(held);
}

TEST(AtomicFile, WhatAKilledProgramLeftIsSweptAwayAndNothingElse) {
  const TemporaryFolder folder;
  for (const char* name : {".tepui-1-0.tmp", ".tepui-99-7.tmp", ".tepui-mine", "other.tmp"})
    put_bytes(folder / name, "x");
  const int held = open((folder / ".tepui-99-7.tmp").c_str(), O_RDWR);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  write_file(folder / "a.txt", "new");
  EXPECT_EQ(names_in(folder.path()),
            (std::vector<std::string>{".tepui-99-7.tmp", ".tepui-mine", "a.txt", "other.tmp"}));
  close(held);
}

}  // namespace
}  // namespace tepui::atomic_file_test
