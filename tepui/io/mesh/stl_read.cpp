#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "tepui/core/number.h"
#include "tepui/core/text.h"
#include "tepui/io/mesh/mesh_input.h"
#include "tepui/io/mesh/stl.h"

static_assert(std::endian::native == std::endian::little, "the numbers are read as they are");

namespace tepui {

namespace {

constexpr size_t head = 84, facet_bytes = 50;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Words between blanks, in lower case.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::string next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    const size_t first = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    // No word of an STL is as long as this.
    return lower_case(text_.substr(first, std::min<size_t>(at_ - first, 400)));
  }

  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  size_t place() const { return at_; }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

class TextReader {
 public:
  TextReader(std::string_view text, MeshInput& input) : words_(text), input_(input) {}

  void read() {
    expect("solid");
    words_.skip_line();
    for (;;) {
      const std::string word = words_.next();
      if (word == "facet") {
        facet();
      } else if (word == "endsolid") {
        words_.skip_line();
        const std::string after = words_.next();
        if (after.empty()) return;
        if (after != "solid") unexpected(after, "solid");
        words_.skip_line();
      } else {
        unexpected(word, "facet");
      }
    }
  }

 private:
  [[noreturn]] void unexpected(const std::string& word, const char* wanted) const {
    if (word.empty()) input_.broken("the file ends too early");
    std::string shown = word.substr(0, 40);
    for (char& c : shown)
      if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
    input_.broken(fmt::format("'{}' at byte {} where '{}' should be", shown, words_.place(), wanted));
  }

  void expect(const char* wanted) {
    const std::string word = words_.next();
    if (word != wanted) unexpected(word, wanted);
  }

  double number() {
    const std::string word = words_.next();
    const std::optional<double> value = parse_number(word);
    if (!value) unexpected(word, "a number");
    return *value;
  }

  void facet() {
    expect("normal");
    for (int k = 0; k < 3; ++k) number();
    expect("outer");
    expect("loop");
    const uint64_t first = input_.points();
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      const double x = number(), y = number(), z = number();
      input_.add_point({x, y, z});
    }
    expect("endloop");
    expect("endfacet");
    input_.add_triangle(first, first + 1, first + 2);
  }

  Words words_;
  MeshInput& input_;
};

bool begins_with_solid(std::string_view bytes) { return Words(bytes.substr(0, 512)).next() == "solid"; }

void read_binary(std::string_view bytes, uint64_t facets, MeshInput& input) {
  input.reserve(3 * facets, facets);
  for (uint64_t i = 0; i < facets; ++i) {
    std::array<MeshPoint, 3> corners;
    std::memcpy(&corners, bytes.data() + head + i * facet_bytes + 12, sizeof corners);
    for (const MeshPoint& corner : corners) input.add_point(to_vec(corner));
    input.add_triangle(3 * i, 3 * i + 1, 3 * i + 2);
  }
}

}  // namespace

Mesh parse_stl(std::string_view bytes, const std::string& path, const Context& context) {
  MeshInput input(path, "STL", context);
  uint32_t facets = 0;
  if (bytes.size() >= head) std::memcpy(&facets, bytes.data() + 80, sizeof facets);
  const uint64_t expected = head + facet_bytes * uint64_t{facets};
  if (bytes.size() == expected) {
    read_binary(bytes, facets, input);
  } else if (begins_with_solid(bytes)) {
    TextReader(bytes, input).read();
  } else if (bytes.size() < head) {
    input.broken("the file ends too early");
  } else if (bytes.size() > expected && bytes.size() - expected < facet_bytes) {
    // Some programs round the length up.
    read_binary(bytes, facets, input);
  } else {
    input.broken(fmt::format("it claims {} triangles, which take {} bytes, but it has {} bytes", facets, expected,
                             bytes.size()));
  }
  return std::move(input).finish(false);
}

}  // namespace tepui
