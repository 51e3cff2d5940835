#include "tepui/recipe/node_facts.h"

#include <cmath>
#include <cstring>

namespace tepui {

namespace {

class Writer {
 public:
  void word(uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(int64_t value) { word(static_cast<uint64_t>(value)); }
  void put(double value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(Vec2 value) {
    put(value.x);
    put(value.y);
  }
  void put(const Hash& value) {
    word(value.high);
    word(value.low);
  }
  void put(std::string_view text) {
    word(text.size());
    bytes_.append(text);
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what Writer wrote; past the end, or past what can be meant, it is no longer sound and gives zeros.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  uint64_t word() { return raw<uint64_t>(); }
  int64_t integer() { return raw<int64_t>(); }
  double number() {
    const auto value = raw<double>();
    if (!std::isfinite(value)) sound_ = false;
    return value;
  }
  Vec2 pair() {
    const double x = number();
    return {x, number()};
  }
  Hash hash() {
    const uint64_t high = word();
    return {high, word()};
  }
  std::string text() {
    const uint64_t size = word();
    if (size > rest_.size()) sound_ = false;
    if (!sound_) return {};
    std::string result(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return result;
  }
  /// Of things that take at least a byte each.
  size_t count() {
    const uint64_t size = word();
    if (size > rest_.size()) sound_ = false;
    return sound_ ? size : 0;
  }
  void require(bool condition) { sound_ = sound_ && condition; }
  bool sound() const { return sound_; }
  bool at_end() const { return rest_.empty(); }

 private:
  template <class T>
  T raw() {
    T value{};
    if (rest_.size() < sizeof value) sound_ = false;
    if (!sound_) return T{};
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

  std::string_view rest_;
  bool sound_ = true;
};

void put_frame(Writer& w, const Frame& frame) {
  w.put(frame.origin);
  w.put(frame.size);
  w.put(frame.cell);
  for (const int64_t value : {frame.first_x, frame.first_y, frame.width, frame.height}) w.put(value);
  w.word(frame.geo ? 1 : 0);
  if (!frame.geo) return;
  w.put(frame.geo->crs);
  w.put(frame.geo->origin);
  w.put(frame.geo->step);
}

Frame read_frame(Reader& r) {
  constexpr int64_t most_samples = int64_t{1} << 40;
  Frame frame;
  frame.origin = r.pair();
  frame.size = r.pair();
  frame.cell = r.pair();
  frame.first_x = r.integer();
  frame.first_y = r.integer();
  frame.width = r.integer();
  frame.height = r.integer();
  r.require(frame.width >= 0 && frame.height >= 0 && (frame.width == 0 || frame.height <= most_samples / frame.width));
  if (r.word() == 0) return frame;
  Georeference geo;
  geo.crs = r.text();
  geo.origin = r.pair();
  geo.step = r.pair();
  frame.geo = std::make_shared<const Georeference>(std::move(geo));
  return frame;
}

LayerOutline read_layer(Reader& r) {
  LayerOutline layer;
  layer.name = r.text();
  layer.unit = r.text();
  const int64_t kind = r.integer(), classes = r.integer();
  r.require(kind >= 0 && kind <= static_cast<int64_t>(LayerKind::mask) && classes >= 0 && classes < (1 << 30));
  layer.kind = r.sound() ? static_cast<LayerKind>(kind) : LayerKind::continuous;
  layer.classes = static_cast<int>(classes);
  layer.cells = r.hash();
  return layer;
}

}  // namespace

NodeFacts facts_of(const Value& value, const KnownCells& known) {
  NodeFacts facts;
  facts.type = value_type(value);
  if (const Terrain* land = std::get_if<Terrain>(&value)) facts.outline = outline(*land, known);
  facts.hash = facts.type == ValueType::terrain ? facts.outline.hash() : value_hash(value);
  facts.bytes = value_bytes(value);
  return facts;
}

std::string facts_text(const NodeFacts& facts) {
  Writer w;
  w.put(static_cast<int64_t>(facts.type));
  w.put(facts.hash);
  w.word(facts.bytes);
  w.put(facts.cost);
  put_frame(w, facts.outline.frame);
  w.put(facts.outline.relief.base);
  w.put(facts.outline.relief.top);
  w.word(facts.outline.layers.size());
  for (const LayerOutline& layer : facts.outline.layers) {
    w.put(layer.name);
    w.put(layer.unit);
    w.put(static_cast<int64_t>(layer.kind));
    w.put(static_cast<int64_t>(layer.classes));
    w.put(layer.cells);
  }
  w.word(facts.warnings.size());
  for (const std::string& warning : facts.warnings) w.put(warning);
  w.word(facts.told.size());
  for (const ToldNumber& told : facts.told) {
    w.put(told.name);
    w.put(told.value);
    w.put(told.unit);
  }
  return std::move(w.bytes());
}

std::optional<NodeFacts> parse_facts(std::string_view text) {
  Reader r(text);
  NodeFacts facts;
  const int64_t type = r.integer();
  r.require(type >= 0 && type < static_cast<int64_t>(std::variant_size_v<Value>));
  facts.type = r.sound() ? static_cast<ValueType>(type) : ValueType::terrain;
  facts.hash = r.hash();
  facts.bytes = r.word();
  facts.cost = r.number();
  facts.outline.frame = read_frame(r);
  facts.outline.relief.base = r.number();
  facts.outline.relief.top = r.number();
  for (size_t left = r.count(); left > 0 && r.sound(); --left) facts.outline.layers.push_back(read_layer(r));
  for (size_t left = r.count(); left > 0 && r.sound(); --left) facts.warnings.push_back(r.text());
  for (size_t left = r.count(); left > 0 && r.sound(); --left) {
    std::string name = r.text();
    const double value = r.number();
    facts.told.push_back({std::move(name), value, r.text()});
  }
  r.require(r.at_end());
  if (!r.sound() || (facts.type == ValueType::terrain && facts.outline.hash() != facts.hash)) return std::nullopt;
  return facts;
}

}  // namespace tepui
