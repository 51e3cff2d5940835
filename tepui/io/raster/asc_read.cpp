#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/text.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/byte_source.h"
#include "tepui/io/file/sidecars.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/raster/raster_formats.h"

// Esri's ASCII grid: names and numbers, then the values, the north-western one first. Read here because a value that is
// none must be refused where it stands, instead of becoming 0.

namespace tepui {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr size_t text_bytes = 1 << 18;
/// No number and no name of the header is as long.
constexpr size_t longest_word = 400;

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f'; }

/// The words of a text one after the other, and where they stand.
class Words {
 public:
  explicit Words(const std::string& path) : file_(path) {
    if (file_.size() == 0) refuse(fmt::format("cannot read '{}' as ASCII grid: the file is empty", path));
    std::array<char, 3> start{};
    if (file_.size() >= 3) file_.read(0, start.data(), 3);
    if (std::string_view(start.data(), 3) == "\xef\xbb\xbf") start_ = 3;
    rewind({start_, 1, 1});
  }

  struct Place {
    uint64_t offset = 0, line = 1, column = 1;
  };

  /// False at the end of the file.
  bool next() {
    skip_blanks();
    at_ = here();
    word_.clear();
    while (begin_ != end_ && !is_blank(*begin_)) {
      if (word_.size() == longest_word) refuse_word("is too long for a number");
      word_ += *begin_++;
      if (begin_ == end_) refill();
    }
    return !word_.empty();
  }

  const std::string& word() const { return word_; }
  const Place& at() const { return at_; }
  const std::string& path() const { return file_.path(); }
  uint64_t bytes() const { return file_.size(); }

  void rewind(const Place& to) {
    next_ = to.offset;
    refill();
    line_ = to.line;
    line_start_ = static_cast<int64_t>(to.offset) - static_cast<int64_t>(to.column) + 1;
  }

  [[noreturn]] void refuse_word(const std::string& why, const std::string& hint = {}) const {
    std::string shown;
    for (const char c : word_.substr(0, 40)) shown += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
    refuse(fmt::format("cannot read '{}': line {}, column {}: '{}' {}", path(), at_.line, at_.column, shown, why),
           hint);
  }

 private:
  Place here() const {
    const uint64_t offset = next_ - static_cast<uint64_t>(end_ - begin_);
    return {offset, line_, static_cast<uint64_t>(static_cast<int64_t>(offset) - line_start_) + 1};
  }

  void skip_blanks() {
    while (begin_ != end_ && is_blank(*begin_)) {
      const bool line = *begin_++ == '\n';
      if (begin_ == end_) refill();
      if (!line) continue;
      ++line_;
      line_start_ = static_cast<int64_t>(next_ - static_cast<uint64_t>(end_ - begin_));
    }
  }

  void refill() {
    const auto bytes = static_cast<size_t>(std::min<uint64_t>(text_bytes, file_.size() - next_));
    buffer_.resize(bytes);
    file_.read(next_, buffer_.data(), bytes);
    next_ += bytes;
    begin_ = buffer_.data();
    end_ = begin_ + bytes;
  }

  FileSource file_;
  std::vector<char> buffer_;
  const char *begin_ = nullptr, *end_ = nullptr;
  uint64_t start_ = 0, next_ = 0, line_ = 1;
  int64_t line_start_ = 0;
  std::string word_;
  Place at_;
};

/// A number with a decimal point or a decimal comma; what C libraries print for NaN and infinity; else nothing.
std::optional<double> asc_number(std::string word) {
  if (const size_t comma = word.find(','); comma != std::string::npos && word.find('.') == std::string::npos)
    word[comma] = '.';
  std::string_view text = word;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  if (error == std::errc::invalid_argument) return std::nullopt;
  // Microsoft's: 1.#QNAN, -1.#IND, 1.#INF.
  if (rest.starts_with("#") && rest.find_first_not_of("#QNANSINDF0") == std::string_view::npos) return nan;
  if (!rest.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    return lower_case(text).find("e-") != std::string::npos ? 0.0 : std::numeric_limits<double>::infinity();
  return value;
}

struct Header {
  std::optional<double> columns, rows, cell_x, cell_y, x, y;
  bool x_centre = false, y_centre = false;
  std::optional<double> nodata;
  std::string nodata_word;  ///< where it is none: "null"
};

/// An empty place for the number of a name; nullptr where the name is none of the header's.
std::optional<double>* field(Header& header, const std::string& name) {
  if (name == "ncols") return &header.columns;
  if (name == "nrows") return &header.rows;
  if (name == "cellsize" || name == "dx") return &header.cell_x;
  if (name == "dy") return &header.cell_y;
  if (name == "nodata_value" || name == "nodata") return &header.nodata;
  if (!name.starts_with("xll") && !name.starts_with("yll")) return nullptr;
  const bool x = name.front() == 'x', centre = name.substr(3) == "center" || name.substr(3) == "centre";
  if (!centre && name.substr(3) != "corner") return nullptr;
  (x ? header.x_centre : header.y_centre) = centre;
  return x ? &header.x : &header.y;
}

/// Up to the first value, which `words` is left at.
Header read_header(Words& words) {
  Header header;
  while (words.next()) {
    const std::string name = lower_case(words.word());
    std::optional<double>* place = field(header, name);
    if (place == nullptr) break;
    if (*place) words.refuse_word("appears twice in the header");
    if (!words.next()) break;
    *place = asc_number(words.word());
    if (!*place && place == &header.nodata) {
      header.nodata_word = lower_case(words.word());
      header.nodata = nan;
    }
    if (!*place) words.refuse_word(fmt::format("is not a number, but '{}' must be one", name));
  }
  return header;
}

int64_t count_of(const Words& words, const std::optional<double>& value, const char* name) {
  if (!value)
    refuse(fmt::format("cannot read '{}' as ASCII grid: its header has no '{}'", words.path(), name),
           "the header has ncols, nrows, xllcorner, yllcorner and cellsize, each with a number");
  if (!(*value >= 1 && *value <= 2147483647.0 && *value == std::floor(*value)))
    refuse(fmt::format("cannot read '{}' as ASCII grid: '{}' is {:g}", words.path(), name, *value));
  return static_cast<int64_t>(*value);
}

double cell_of(const Words& words, const std::optional<double>& value) {
  if (!value) refuse(fmt::format("cannot read '{}' as ASCII grid: its header has no 'cellsize'", words.path()));
  if (!(*value > 0) || !std::isfinite(*value))
    refuse(fmt::format("'{}' says that its cells are {:g} wide", words.path(), *value));
  return *value;
}

class AscRaster : public Raster {
 public:
  explicit AscRaster(const std::string& path) : words_(path) {
    const Header header = read_header(words_);
    info_.format = "ASCII grid";
    info_.width = count_of(words_, header.columns, "ncols");
    info_.height = count_of(words_, header.rows, "nrows");
    // A digit and a space each.
    check_raster_claim(path, info_.width, info_.height, 1, 2, static_cast<double>(words_.bytes()) + 1, 1);
    RasterBand band;
    band.type = "Float64";
    if (header.nodata && std::isfinite(*header.nodata)) band.nodata = header.nodata;
    nodata_word_ = header.nodata_word;
    info_.bands.push_back(band);
    place(header);
    first_ = words_.at();
    words_.rewind(first_);
  }

  void read_rows(int, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }
  void read_rows(int, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }

 private:
  void place(const Header& header) {
    RasterPlace place;
    place.step = {cell_of(words_, header.cell_x), -cell_of(words_, header.cell_y ? header.cell_y : header.cell_x)};
    const bool said = header.x && header.y;
    if (!said) info_.assumed.push_back(fmt::format("'{}' does not say where it lies: 0, 0 assumed", words_.path()));
    place.origin.x = header.x.value_or(0) + (header.x_centre ? 0 : 0.5 * place.step.x);
    place.origin.y = header.y.value_or(0) + (header.y_centre ? 0 : -0.5 * place.step.y) -
                     place.step.y * static_cast<double>(info_.height - 1);
    if (!std::isfinite(place.origin.x) || !std::isfinite(place.origin.y))
      refuse(fmt::format("'{}' says that it lies at {:g}, {:g}", words_.path(), place.origin.x, place.origin.y));
    for (const std::string& beside : sidecars(words_.path())) place.crs = crs_of_prj_file(beside, info_.assumed);
    info_.registration = header.x_centre && header.y_centre ? "point" : "area";
    info_.place = place;
  }

  double next_value() {
    const uint64_t line = words_.at().line;
    if (!words_.next()) refuse_short();
    if (taken_ > 0 && words_.at().line != line) {
      if (on_line_ != info_.width && odd_line_ == 0) {
        odd_line_ = line;
        odd_count_ = on_line_;
      }
      on_line_ = 0;
    }
    ++on_line_;
    ++taken_;
    const std::optional<double> value = asc_number(words_.word());
    if (value) return *value;
    if (!nodata_word_.empty() && lower_case(words_.word()) == nodata_word_) return nan;
    words_.refuse_word("is not a number");
  }

  [[noreturn]] void refuse_short() const {
    const int64_t wanted = info_.width * info_.height;
    refuse(fmt::format("cannot read '{}': it ends after {} of {} values", words_.path(), taken_, wanted),
           odd_line_ == 0 ? ""
                          : fmt::format("line {} has {} value{}, but a row has {}", odd_line_, odd_count_,
                                        odd_count_ == 1 ? "" : "s", info_.width));
  }

  template <class To>
  void read(int64_t first, int64_t rows, To* values, uint8_t* valid) {
    if (first * info_.width < taken_) {
      words_.rewind(first_);
      taken_ = on_line_ = 0;
    }
    while (taken_ < first * info_.width) next_value();
    for (int64_t i = 0; i < rows * info_.width; ++i) values[i] = static_cast<To>(next_value());
    std::fill_n(valid, rows * info_.width, uint8_t{1});
    if (taken_ == info_.width * info_.height && words_.next())
      words_.refuse_word(
          fmt::format("is one value too many: there are {} x {}", info_.width, info_.height),
          odd_line_ == 0 ? ""
                         : fmt::format("line {} has {} values, but a row has {}", odd_line_, odd_count_, info_.width));
  }

  Words words_;
  Words::Place first_;
  std::string nodata_word_;
  int64_t taken_ = 0, on_line_ = 0;
  uint64_t odd_line_ = 0;  ///< the first whose values are not a row; 0: none
  int64_t odd_count_ = 0;
};

}  // namespace

std::unique_ptr<Raster> open_asc(const std::string& path, const RasterOptions&) {
  return std::make_unique<AscRaster>(path);
}

}  // namespace tepui
