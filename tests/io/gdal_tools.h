#pragma once

#include <gtest/gtest.h>
#include <stdio.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tepui/terrain/terrain.h"
#include "tests/io/files.h"

// GDAL's own programs (gdal-bin), as other people read our files.

namespace tepui::test {

/// What a shell command prints; it must succeed.
inline std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char buffer[4096];
  for (size_t got; pipe != nullptr && (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  EXPECT_TRUE(pipe != nullptr && pclose(pipe) == 0) << command;
  return text;
}

inline nlohmann::json gdalinfo(const std::string& path) {
  return nlohmann::json::parse(output_of("gdalinfo -json '" + path + "' 2>/dev/null"));
}

/// The stored numbers at points of the file's coordinate system, in order; `list` is a scratch file. A point outside
/// or without a value gives fewer.
inline std::vector<double> values_at(const std::string& path, const std::vector<Vec2>& points, int band,
                                     const std::string& list) {
  std::string lines;
  for (const Vec2& p : points) {
    char text[80];
    char* end = std::to_chars(text, text + 40, p.x).ptr;
    *end++ = ' ';
    end = std::to_chars(end, text + 79, p.y).ptr;
    lines += std::string(text, end) + "\n";
  }
  put_bytes(list, lines);
  const std::string text =
      output_of("gdallocationinfo -geoloc -valonly -b " + std::to_string(band) + " '" + path + "' < '" + list + "'");
  std::vector<double> values;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    double value = 0;
    if (std::from_chars(text.data() + at, text.data() + end, value).ec == std::errc()) values.push_back(value);
    at = end + 1;
  }
  return values;
}

/// The positions of all samples in the coordinates that a file of the land tells, in the grid's order.
inline std::vector<Vec2> sample_points(const Frame& frame) {
  const Vec2 origin = frame.geo ? frame.geo->origin : frame.origin, step = frame.geo ? frame.geo->step : frame.cell;
  std::vector<Vec2> points;
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x)
      points.push_back({origin.x + static_cast<double>(frame.first_x + x) * step.x,
                        origin.y + static_cast<double>(frame.first_y + y) * step.y});
  return points;
}

}  // namespace tepui::test
