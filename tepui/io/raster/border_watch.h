#pragma once  // internal

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace tepui {

/// Sees a band's rows go by and finds whole rows and columns along its borders that hold nothing but one number, as
/// programs leave them that have no word for nodata.
class BorderWatch {
 public:
  BorderWatch(int64_t width, int64_t height) : width_(width), height_(height), left_(width), right_(width) {}

  /// The next row of the file, as stored.
  template <class T>
  void take(const T* values, const uint8_t* valid);

  /// What to say of it, if anything: where the number is 0, or no other one is lower, or none is higher. Land that
  /// ends in such a border by itself is rare, but a sea at 0 does, so that this is a hint and no more.
  std::optional<std::string> hint(const std::string& path) const;

 private:
  int64_t width_, height_, rows_ = 0;
  int64_t left_, right_;           ///< columns that hold one number so far
  int64_t top_ = 0, bottom_ = 0;   ///< rows from the first one; rows up to the last one
  double first_ = 0, corner_ = 0;  ///< the numbers of the first row's ends
  double bottom_value_ = 0;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

}  // namespace tepui
