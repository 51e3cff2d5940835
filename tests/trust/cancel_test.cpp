// Ctrl-C while a file is being read: the program stops soon, in any format.
#include <signal.h>

#include "tests/trust/trust.h"

namespace tepui::test::cancel_test {

namespace {

/// Numbers as text, which take longest to read for their size.
void put_text_files(const std::string& folder) {
  constexpr int side = 3000, corners = 600;
  std::string grid = "ncols 3000\nnrows 3000\nxllcorner 0\nyllcorner 0\ncellsize 1\n", row;
  for (int i = 0; i < side; ++i) row += std::to_string(i % 10) + (i + 1 < side ? " " : "\n");
  for (int i = 0; i < side; ++i) grid += row;
  put(folder + "/grid.asc", grid);
  put(folder + "/small.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n");
  std::string points, faces;
  for (int i = 0; i < corners * corners; ++i)
    points +=
        "v " + std::to_string(i % corners) + " " + std::to_string(i / corners) + " " + std::to_string(i % 7) + "\n";
  for (int i = 1; i < corners * (corners - 1); ++i)
    if (i % corners != 0)
      faces += "f " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + corners) + "\n";
  put(folder + "/model.obj", points + faces);
}

}  // namespace

TEST(Cancel, ReadersStopSoon) {
  const TemporaryFolder folder;
  put_text_files(folder.path());
  must_run({"make", "shape", "--resolution", "3073", "-o", "land.png", "-o", "land.tif", "-o", "land.exr", "-q"},
           folder.path());
  const double start = must_run({"info", "small.asc"}, folder.path()).processor_seconds;
  for (const char* name : {"grid.asc", "model.obj", "land.png", "land.tif", "land.exr"}) {
    SCOPED_TRACE(name);
    const double whole = must_run({"info", name}, folder.path()).processor_seconds - start;
    Program program({"info", name}, folder.path());
    ASSERT_TRUE(program.wait_until([&] { return program.has_open(folder / name); }));
    program.send(SIGINT);
    const Outcome stopped = program.finish();
    EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
    EXPECT_TRUE(contains(stopped.err, "cancelled")) << stopped.err;
    // Work, not time: a busy or slow machine has the same share left to do.
    EXPECT_LT(stopped.processor_seconds - start, 0.5 * whole) << "of " << whole << " s";
  }
}

}  // namespace tepui::test::cancel_test
