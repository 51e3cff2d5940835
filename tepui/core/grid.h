#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "tepui/core/pool.h"

namespace tepui {

/// Throws when width x height is not a countable number of cells of `bytes` each; returns the total bytes.
size_t checked_grid_bytes(int64_t width, int64_t height, size_t bytes);

/// A rectangle of samples in one contiguous block of the pool, row after row; row 0 is the southernmost. Moves, never
/// copies silently.
template <class T>
class Grid {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Grid() = default;
  /// Contents are undefined.
  Grid(int64_t width, int64_t height)
      : width_(width), height_(height), block_(pool_allocate(checked_grid_bytes(width, height, sizeof(T)))) {}
  Grid(int64_t width, int64_t height, T value) : Grid(width, height) { std::ranges::fill(cells(), value); }

  /// Leaves an empty grid behind.
  Grid(Grid&& other) noexcept
      : width_(std::exchange(other.width_, 0)),
        height_(std::exchange(other.height_, 0)),
        block_(std::move(other.block_)) {}
  Grid& operator=(Grid&& other) noexcept {
    block_ = std::move(other.block_);
    width_ = std::exchange(other.width_, 0);
    height_ = std::exchange(other.height_, 0);
    return *this;
  }

  Grid clone() const {
    Grid copy(width_, height_);
    if (!empty()) std::memcpy(copy.data(), data(), bytes());
    return copy;
  }

  int64_t width() const { return width_; }
  int64_t height() const { return height_; }
  int64_t size() const { return width_ * height_; }
  size_t bytes() const { return static_cast<size_t>(size()) * sizeof(T); }
  bool empty() const { return size() == 0; }

  T* data() { return static_cast<T*>(block_.get()); }
  const T* data() const { return static_cast<const T*>(block_.get()); }
  T* row(int64_t y) {
    assert(y >= 0 && y < height_);
    return data() + y * width_;
  }
  const T* row(int64_t y) const {
    assert(y >= 0 && y < height_);
    return data() + y * width_;
  }
  T& operator()(int64_t x, int64_t y) {
    assert(x >= 0 && x < width_);
    return row(y)[x];
  }
  const T& operator()(int64_t x, int64_t y) const {
    assert(x >= 0 && x < width_);
    return row(y)[x];
  }
  std::span<T> cells() { return {data(), static_cast<size_t>(size())}; }
  std::span<const T> cells() const { return {data(), static_cast<size_t>(size())}; }

 private:
  int64_t width_ = 0, height_ = 0;
  PoolBlock block_;
};

}  // namespace tepui
