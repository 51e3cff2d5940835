#include "tepui/erode/creep.h"

#include <algorithm>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Solves (1 + r_before + r_after) z_i - r_before z_(i-1) - r_after z_(i+1) = z for `lines` lines side by side, where r
/// between two samples is `rate` times the lower mobility. Thomas's algorithm, written for what a sample takes from the
/// one before, so that nothing is lost where r is 0.
class Diffusion {
 public:
  Diffusion(int64_t lines, int64_t length)
      : lines_(lines), share_(static_cast<size_t>(lines * length)), rate_(static_cast<size_t>(lines)) {}

  /// Sample i of line l is at z[i * along + l * across]; across is 1 where `Side` says so, for the compiler to know.
  template <bool Side>
  void run(float* z, const float* mobility, int64_t length, int64_t along, int64_t stride, float rate) {
    const int64_t across = Side ? 1 : stride;
    std::fill(rate_.begin(), rate_.end(), 0.0f);
    for (int64_t i = 0; i < length; ++i) {
      float* line = z + i * along;
      const float* before = i > 0 ? line - along : line;
      const float* own = mobility == nullptr ? nullptr : mobility + i * along;
      float* share = share_.data() + i * lines_;
      const float* share_before = i > 0 ? share - lines_ : share;
      const bool last = i + 1 == length;
      for (int64_t l = 0; l < lines_; ++l) {
        const float r_before = rate_[static_cast<size_t>(l)];
        float r_after = last ? 0.0f : rate;
        if (own != nullptr && !last) r_after *= std::min(own[l * across], own[l * across + along]);
        const float taken = i > 0 ? share_before[l] : 0.0f;
        const float scale = 1 / (1 + r_after + r_before * (1 - taken));
        share[l] = r_after * scale;
        line[l * across] = (line[l * across] + r_before * before[l * across]) * scale;
        rate_[static_cast<size_t>(l)] = r_after;
      }
    }
    for (int64_t i = length - 1; i-- > 0;) {
      float* line = z + i * along;
      const float* share = share_.data() + i * lines_;
      for (int64_t l = 0; l < lines_; ++l) line[l * across] += share[l] * line[l * across + along];
    }
  }

 private:
  int64_t lines_;
  std::vector<float> share_;  ///< Of the next sample in each.
  std::vector<float> rate_;   ///< Between the sample before and this one.
};

}  // namespace

void creep(Grid<float>& height, const Grid<float>& mobility, Vec2 cell, double amount, const Context& context) {
  if (!(amount > 0) || height.empty()) return;
  const int64_t w = height.width(), h = height.height();
  constexpr int64_t side = 32;
  const float* m = mobility.empty() ? nullptr : mobility.data();
  parallel_chunks(h, side, context, [&](int64_t begin, int64_t end) {
    Diffusion rows(end - begin, w);
    rows.run<false>(height.data() + begin * w, m == nullptr ? nullptr : m + begin * w, w, 1, w,
                    static_cast<float>(amount / (cell.x * cell.x)));
  });
  parallel_chunks(w, side, context, [&](int64_t begin, int64_t end) {
    Diffusion columns(end - begin, h);
    columns.run<true>(height.data() + begin, m == nullptr ? nullptr : m + begin, h, w, 1,
                      static_cast<float>(amount / (cell.y * cell.y)));
  });
}

}  // namespace tepui
