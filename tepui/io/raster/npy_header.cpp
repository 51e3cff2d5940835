#include "tepui/io/raster/npy_header.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <string_view>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr uint64_t longest_header = 64 << 10;
constexpr size_t most_dimensions = 32;  // NumPy's own limit

/// The literal of a Python dict with the three keys that the format has, and nothing else.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& shown) : text_(text), shown_(shown) {}

  void parse(NpyHeader& header) {
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !has_descr) {
        header.descr = peek() == '[' ? skip_list() : string();
        has_descr = true;
      } else if (key == "fortran_order" && !has_order) {
        header.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        header.shape = tuple();
        has_shape = true;
      } else {
        unsound();
      }
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size() || !has_descr || !has_order || !has_shape) unsound();
  }

 private:
  [[noreturn]] void unsound() const { refuse(fmt::format("{} is damaged: its NPY header is damaged", shown_)); }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip_space();
    if (at_ == text_.size()) unsound();
    return text_[at_];
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) unsound();
  }

  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') unsound();
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) unsound();
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (inside.find('\\') != std::string_view::npos) unsound();
    at_ = end + 1;
    return std::string(inside);
  }

  /// A structured type: only its extent matters, since it is refused.
  std::string skip_list() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '\'' || c == '"') {
        string();
        continue;
      }
      depth += (c == '[' || c == '(') - (c == ']' || c == ')');
      ++at_;
    } while (depth > 0);
    return "[...]";
  }

  bool boolean() {
    peek();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    unsound();
  }

  std::vector<int64_t> tuple() {
    std::vector<int64_t> values;
    expect('(');
    while (!accept(')')) {
      peek();
      int64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error != std::errc() || value < 0 || values.size() == most_dimensions) unsound();
      at_ = static_cast<size_t>(end - text_.data());
      if (peek() == 'L') ++at_;  // Python 2
      values.push_back(value);
      if (accept(',')) continue;
      if (values.size() == 1) unsound();
      expect(')');
      break;
    }
    return values;
  }

  std::string_view text_;
  const std::string& shown_;
  size_t at_ = 0;
};

struct TypeRow {
  const char* code;
  NpyType type;
  const char* name;
};
constexpr TypeRow types[] = {
    {"b1", NpyType::boolean, "Byte"},    {"i1", NpyType::int8, "Int8"},       {"u1", NpyType::uint8, "Byte"},
    {"i2", NpyType::int16, "Int16"},     {"u2", NpyType::uint16, "UInt16"},   {"i4", NpyType::int32, "Int32"},
    {"u4", NpyType::uint32, "UInt32"},   {"i8", NpyType::int64, "Int64"},     {"u8", NpyType::uint64, "UInt64"},
    {"f2", NpyType::float16, "Float16"}, {"f4", NpyType::float32, "Float32"}, {"f8", NpyType::float64, "Float64"},
};

const TypeRow& row_of(NpyType type) {
  for (const TypeRow& row : types)
    if (row.type == type) return row;
  fail("not a type of NumPy");
}

void set_type(NpyHeader& header) {
  const std::string& descr = header.descr;
  if (descr.size() != 3) return;
  for (const TypeRow& row : types) {
    if (descr.compare(1, 2, row.code) != 0) continue;
    const bool little = std::endian::native == std::endian::little;
    if (descr[0] != '<' && descr[0] != '>' && descr[0] != '=' && !(descr[0] == '|' && descr[2] == '1')) return;
    header.swapped = descr[2] != '1' && descr[0] == (little ? '>' : '<');
    header.type = row.type;
    return;
  }
}

}  // namespace

size_t npy_type_bytes(NpyType type) { return static_cast<size_t>(row_of(type).code[1] - '0'); }
const char* npy_type_name(NpyType type) { return row_of(type).name; }

NpyHeader read_npy_header(ByteSource& source, const std::string& shown) {
  const auto cut = [&] { refuse(fmt::format("{} is damaged: it ends inside its NPY header", shown)); };
  constexpr std::string_view magic = "\x93NUMPY";
  unsigned char start[12] = {};
  if (source.size() < 10) {
    if (source.size() < magic.size()) refuse(fmt::format("{} is not an NPY array", shown));
    cut();
  }
  source.read(0, start, 10);
  if (std::string_view(reinterpret_cast<const char*>(start), magic.size()) != magic)
    refuse(fmt::format("{} is not an NPY array", shown), "numpy.save writes them");
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    refuse(fmt::format("{} has version {}.{} of the NPY format", shown, version, start[7]),
           "versions 1.0 to 3.0 are read");
  uint64_t length = start[8] | uint64_t{start[9]} << 8, offset = 10;
  if (version > 1) {
    if (source.size() < 12) cut();
    source.read(10, start + 10, 2);
    length |= uint64_t{start[10]} << 16 | uint64_t{start[11]} << 24;
    offset = 12;
  }
  if (length > source.size() - offset) cut();
  if (length > longest_header) refuse(fmt::format("{} has an NPY header of {} bytes", shown, length));
  std::string text(static_cast<size_t>(length), '\0');
  source.read(offset, text.data(), text.size());
  NpyHeader header;
  header.data_offset = offset + length;
  HeaderParser(text, shown).parse(header);
  set_type(header);
  return header;
}

std::string npy_header_text(const std::string& descr, const std::vector<int64_t>& shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape_text(shape));
  constexpr size_t start = 10;
  dict.append(63 - (start + dict.size()) % 64, ' ');
  dict.push_back('\n');
  std::string text("\x93NUMPY\x01\x00", 8);
  text.push_back(static_cast<char>(dict.size() & 255));
  text.push_back(static_cast<char>(dict.size() >> 8));
  return text + dict;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) text += fmt::format("{}{}", i > 0 ? ", " : "", shape[i]);
  return fmt::format("({}{})", text, shape.size() == 1 ? "," : "");
}

void require_numbers(const NpyHeader& header, const std::string& shown) {
  if (header.type) return;
  const std::string& descr = header.descr;
  const char kind = descr == "[...]" ? 'V' : descr.size() > 1 ? descr[1] : '?';
  const char* hint = "convert it with array.astype('float32')";
  switch (kind) {
    case 'O':
      refuse(fmt::format("{} holds Python objects (a pickle), which are not read", shown), hint);
    case 'V':
      refuse(fmt::format("{} holds records (a structured type)", shown), "save only the field that holds the heights");
    case 'c':
      refuse(fmt::format("{} holds complex numbers", shown), "save array.real");
    case 'S':
    case 'U':
      refuse(fmt::format("{} holds text", shown), hint);
    case 'M':
    case 'm':
      refuse(fmt::format("{} holds dates or times", shown), hint);
    default:
      refuse(fmt::format("{} holds elements of type {}, which is not supported", shown, listed({descr})), hint);
  }
}

}  // namespace tepui
