#pragma once

#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/io/raster/raster.h"
#include "tests/io/files.h"

// What the tests of raster formats share.

namespace tepui::test {

/// A band as stored, the file's first row first, read a few rows at a time.
template <class T = double>
std::vector<T> stored_values(Raster& raster, int band = 0, int64_t rows_at_once = 3) {
  const RasterInfo& info = raster.info();
  std::vector<T> values(static_cast<size_t>(info.width * info.height));
  std::vector<uint8_t> valid(values.size(), 7);
  for (int64_t y = 0; y < info.height; y += rows_at_once) {
    const int64_t rows = std::min(rows_at_once, info.height - y);
    raster.read_rows(band, y, rows, values.data() + y * info.width, valid.data() + y * info.width);
  }
  for (const uint8_t ok : valid) EXPECT_EQ(ok, 1);
  return values;
}

/// A layer's cells in the order of files, north first.
inline std::vector<float> north_first(const Grid<float>& grid) {
  std::vector<float> values;
  for (int64_t y = grid.height() - 1; y >= 0; --y) values.insert(values.end(), grid.row(y), grid.row(y) + grid.width());
  return values;
}

using OpenRaster = std::function<std::unique_ptr<Raster>(const std::string& path)>;

/// Opens a file and reads all of it; false where it is refused. Anything but an Error gets through.
inline bool is_readable(const OpenRaster& open, const std::string& path) {
  try {
    const std::unique_ptr<Raster> raster = open(path);
    for (size_t i = 0; i < raster->info().bands.size(); ++i) stored_values<float>(*raster, static_cast<int>(i), 64);
    return true;
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(file_name(path)), std::string::npos) << error.message();
    return false;
  }
}

/// No prefix of a sound file is sound.
inline void expect_prefixes_refused(const OpenRaster& open, const std::string& path, const std::string& bytes) {
  put_bytes(path, bytes);
  EXPECT_TRUE(is_readable(open, path));
  for (size_t length = 0; length < bytes.size(); ++length) {
    put_bytes(path, bytes.substr(0, length));
    EXPECT_FALSE(is_readable(open, path)) << length << " of " << bytes.size() << " bytes";
  }
}

/// Files with a few damaged bytes are read or refused. Returns how many were refused.
inline int damage(const OpenRaster& open, const std::string& path, const std::string& bytes, uint64_t seed, int times) {
  const Stream stream(seed);
  int refused = 0;
  for (int i = 0; i < times; ++i) {
    std::string broken = bytes;
    for (uint64_t k = 0; k <= stream.bits(static_cast<uint64_t>(i)) % 3; ++k) {
      const uint64_t draw = stream.bits(1000000 + 4 * static_cast<uint64_t>(i) + k);
      broken[draw % broken.size()] = static_cast<char>(draw >> 40);
    }
    put_bytes(path, broken);
    if (!is_readable(open, path)) ++refused;
  }
  return refused;
}

/// A program's exit code, and what it prints.
struct Answer {
  int code = -1;
  std::string text;
};
inline Answer run_program(const std::string& command) {
  Answer answer;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return answer;
  char buffer[4096];
  for (size_t got; (got = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) answer.text.append(buffer, got);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) answer.code = WEXITSTATUS(status);
  return answer;
}

/// Debian's own Python, which has its NumPy.
inline Answer run_python(const std::string& folder, const std::string& script) {
  put_bytes(folder + "/script.py", "import numpy as np, os\nos.chdir(r'" + folder + "')\n" + script);
  return run_program("/usr/bin/python3 -B '" + folder + "/script.py'");
}

}  // namespace tepui::test
