#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "tepui/core/number.h"
#include "tepui/io/mesh/mesh_input.h"
#include "tepui/io/mesh/obj.h"

namespace tepui {

namespace {

/// Words of lines; a backslash at the end of a line joins the next one to it.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  int64_t line() const { return line_; }
  bool at_end() const { return at_ >= text_.size(); }

  /// The next word of this line; empty at its end.
  std::string_view next() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || skip_continuation())) ++at_;
    const size_t first = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n' && !continues()) ++at_;
    return text_.substr(first, at_ - first);
  }

  void next_line() {
    at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ < text_.size()) ++at_;
    ++line_;
  }

  /// To the end of the line, the lines joined to it among them.
  void skip_words() {
    while (!next().empty()) {
    }
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

  bool continues() const {
    if (text_[at_] != '\\') return false;
    const size_t after = at_ + 1 < text_.size() && text_[at_ + 1] == '\r' ? at_ + 2 : at_ + 1;
    return after < text_.size() && text_[after] == '\n';
  }
  /// Leaves the place on the line's end, for the caller to step over.
  bool skip_continuation() {
    if (!continues()) return false;
    at_ = text_.find('\n', at_);
    ++line_;
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

constexpr uint32_t none = UINT32_MAX;

/// A list that corners name apart from the position: normals or texture coordinates. Kept if each vertex has but one.
template <class T>
struct Extra {
  std::vector<T> list;
  std::vector<uint32_t> of_vertex;  ///< which entry each vertex has
  uint64_t highest = 0;             ///< named by a corner, plus one
  bool unique = true;

  /// `vertices` have been given so far.
  void name(uint64_t vertex, uint64_t entry, size_t vertices) {
    highest = std::max(highest, entry + 1);
    // What is named before it is given says nothing of how many there will be.
    if (vertex >= vertices || entry >= none) unique = false;
    if (!unique) return;
    if (vertex >= of_vertex.size()) of_vertex.resize(vertices, none);
    uint32_t& mine = of_vertex[static_cast<size_t>(vertex)];
    if (mine == none) mine = static_cast<uint32_t>(entry);
    if (mine == entry) return;
    unique = mine < list.size() && entry < list.size() && list[mine] == list[static_cast<size_t>(entry)];
  }

  /// One for each vertex, or nothing.
  std::vector<T> spread(size_t vertices) const {
    std::vector<T> result;
    if (!unique || of_vertex.empty() || list.empty()) return result;
    result.resize(vertices);
    for (size_t i = 0; i < std::min(vertices, of_vertex.size()); ++i)
      if (of_vertex[i] < list.size()) result[i] = list[of_vertex[i]];
    return result;
  }
};

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& path, const Context& context)
      : words_(bytes), input_(path, "OBJ", context) {}

  Mesh read() && {
    for (; !words_.at_end(); words_.next_line()) {
      const std::string_view keyword = words_.next();
      if (keyword == "v")
        vertex();
      else if (keyword == "vn")
        normals_.list.push_back(to_point(numbers(3, 3)));
      else if (keyword == "vt")
        coordinate();
      else if (keyword == "f")
        face();
      else if (!keyword.starts_with('#'))
        words_.skip_words();
    }
    if (input_.points() == 0) input_.broken("it has no vertices");
    if (normals_.highest > normals_.list.size() || coordinates_.highest > coordinates_.list.size())
      input_.broken("a face names a normal or texture coordinate that is not there");
    input_.normals = normals_.spread(input_.points());
    input_.coordinates = coordinates_.spread(input_.points());
    return std::move(input_).finish(true);
  }

 private:
  [[noreturn]] void broken(std::string_view reason) const {
    input_.broken(fmt::format("line {}: {}", words_.line(), reason));
  }

  /// The line's numbers, from `least` to `most` of them; what follows is left.
  const std::vector<double>& numbers(size_t least, size_t most) {
    numbers_.clear();
    while (numbers_.size() < most) {
      const std::string_view word = words_.next();
      if (word.empty() || word.starts_with('#')) break;
      const std::optional<double> value = parse_number(word);
      if (!value) broken(fmt::format("'{}' is not a number", shown(word)));
      numbers_.push_back(*value);
    }
    if (numbers_.size() < least) broken(fmt::format("{} numbers where {} are needed", numbers_.size(), least));
    words_.skip_words();
    return numbers_;
  }

  static std::string shown(std::string_view word) {
    std::string text(word.substr(0, 40));
    for (char& c : text)
      if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
    return text;
  }

  static MeshPoint to_point(const std::vector<double>& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
  }

  void vertex() {
    const std::vector<double>& v = numbers(3, 7);
    input_.add_point({v[0], v[1], v[2]});
    // Six numbers are a position and a colour; a fourth alone is a weight.
    if (v.size() >= 6 && input_.colours.size() + 1 == input_.points())
      input_.colours.push_back({colour_byte(v[3]), colour_byte(v[4]), colour_byte(v[5]), 255});
  }

  void coordinate() {
    const std::vector<double>& v = numbers(1, 2);
    coordinates_.list.push_back({static_cast<float>(v[0]), static_cast<float>(v.size() > 1 ? 1 - v[1] : 0)});
  }

  /// A number of a face, from 1 or, below 0, back from the last; as an index from 0.
  uint64_t index(std::string_view word, size_t given, const char* what) const {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value == 0)
      broken(fmt::format("'{}' is not the number of a {}", shown(word), what));
    if (value > 0) return static_cast<uint64_t>(value) - 1;
    if (value < -static_cast<int64_t>(given))
      broken(fmt::format("{} {} counts back beyond the first of {}", what, value, given));
    return static_cast<uint64_t>(static_cast<int64_t>(given) + value);
  }

  void face() {
    corners_.clear();
    for (std::string_view word = words_.next(); !word.empty() && !word.starts_with('#'); word = words_.next()) {
      const size_t slash = word.find('/');
      const uint64_t vertex = index(word.substr(0, slash), input_.points(), "vertex");
      corners_.push_back(vertex);
      if (slash == std::string_view::npos) continue;
      const std::string_view rest = word.substr(slash + 1);
      const size_t second = rest.find('/');
      if (const std::string_view part = rest.substr(0, second); !part.empty())
        coordinates_.name(vertex, index(part, coordinates_.list.size(), "texture coordinate"), input_.points());
      if (second != std::string_view::npos && second + 1 < rest.size())
        normals_.name(vertex, index(rest.substr(second + 1), normals_.list.size(), "normal"), input_.points());
    }
    input_.add_polygon(corners_);
  }

  Words words_;
  MeshInput input_;
  Extra<MeshPoint> normals_;
  Extra<MeshCoordinate> coordinates_;
  std::vector<double> numbers_;
  std::vector<uint64_t> corners_;
};

}  // namespace

Mesh parse_obj(std::string_view bytes, const std::string& path, const Context& context) {
  return ObjReader(bytes, path, context).read();
}

}  // namespace tepui
