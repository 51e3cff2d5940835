#include "tests/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <mutex>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/core/simd.h"

namespace tepui::test {

void expect_same_bits(const std::function<Hash()>& make) {
  const std::vector<std::string>& levels = simd_levels();
  const std::vector<int> counts{1, 2, 7};
  std::string first;
  const auto run = [&](const std::string& level, int threads) {
    force_simd_level(level);
    EXPECT_EQ(simd_level(), level);
    Hash hash;
    with_threads(threads, [&] { hash = make(); });
    if (first.empty()) first = hash.text();
    EXPECT_EQ(hash.text(), first) << level << ", " << threads << " threads";
  };
  for (const int threads : counts) run(levels.front(), threads);
  for (size_t i = 1; i < levels.size(); ++i) run(levels[i], counts[i % counts.size()]);
  force_simd_level("best");
}

double max_difference(const Grid<float>& a, const Grid<float>& b) {
  if (a.width() != b.width() || a.height() != b.height()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (int64_t y = 0; y < a.height(); ++y)
    for (int64_t x = 0; x < a.width(); ++x) {
      const double difference = std::abs(static_cast<double>(a(x, y)) - static_cast<double>(b(x, y)));
      if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, difference);
    }
  return worst;
}

bool same_cells(const Grid<float>& a, const Grid<float>& b) {
  return a.width() == b.width() && a.height() == b.height() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

Terrain sample_land(int64_t width, int64_t height, uint64_t seed, double cell, Relief relief) {
  Frame frame;
  frame.cell = {cell, cell};
  frame.width = width;
  frame.height = height;
  frame.size = {cell * static_cast<double>(std::max<int64_t>(width - 1, 1)),
                cell * static_cast<double>(std::max<int64_t>(height - 1, 1))};
  const Stream stream(seed);
  const double phase = 6 * stream.uniform(0, 1);
  Grid<float> z(width, height);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      const double wave =
          0.5 + 0.3 * std::sin(0.31 * static_cast<double>(x) + phase) * std::cos(0.23 * static_cast<double>(y) - phase);
      const double grain = 0.4 * (stream.uniform(static_cast<uint64_t>(y * width + x)) - 0.5);
      z(x, y) = static_cast<float>(relief.base + relief.span() * (wave + grain));
    }
  return Terrain(frame, relief, std::move(z));
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.message() + (error.hint().empty() ? "" : "; " + error.hint());
  }
  ADD_FAILURE() << "expected an error";
  return {};
}

double widest_progress_gap(const std::function<void(const Context&)>& act) {
  struct Reports : ProgressSink {
    void progress(int, std::string_view, double fraction) override {
      const std::lock_guard lock(mutex);
      fractions.push_back(fraction);
    }
    void warn(std::string_view) override {}
    std::mutex mutex;
    std::vector<double> fractions = {0, 1};
  } reports;
  act(Context(&reports, nullptr));
  std::ranges::sort(reports.fractions);
  double widest = 0;
  for (size_t i = 1; i < reports.fractions.size(); ++i)
    widest = std::max(widest, reports.fractions[i] - reports.fractions[i - 1]);
  return widest;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tepui-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tepui::test
