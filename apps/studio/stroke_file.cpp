#include "apps/studio/stroke_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "apps/studio/stroke_text.h"
#include "tepui/core/error.h"
#include "tepui/core/text.h"
#include "tepui/io/table/lines_fields.h"
#include "tepui/terrain/lines_builder.h"

namespace tepui::studio {

namespace {

constexpr size_t most_strokes = 100000, most_bytes = size_t{64} << 20, most_fields = 256;

[[noreturn]] void refuse_file(const std::string& why) {
  refuse("this file does not hold plain strokes: " + why, "draw into a node of its own");
}

/// A builder's columns, one for each field of a file.
struct Column {
  std::optional<NumberColumn> number{};
  std::optional<TextColumnId> text{};
  std::optional<VertexColumn> list{};
  bool is_name = false;
};

void set(LinesBuilder& builder, const Column& column, const StrokeValue& value) {
  if (const double* number = std::get_if<double>(&value); number != nullptr && column.number)
    builder.set(*column.number, *number);
  else if (const std::string* text = std::get_if<std::string>(&value); text != nullptr && column.text)
    builder.set(*column.text, *text);
  else if (const auto* list = std::get_if<std::vector<double>>(&value); list != nullptr && column.list)
    builder.set(*column.list, *list);
}

/// The order in which readers find the fields of features: each behind those that stand before it in some feature,
/// and otherwise by name.
class FieldOrder {
 public:
  void add(const Stroke& stroke) {
    const std::string* before = nullptr;
    for (const StrokeProperty& property : stroke.properties) {
      std::set<std::string>& waits = waits_for_[property.name];
      if (before != nullptr) waits.insert(*before);
      before = &property.name;
    }
    if (waits_for_.size() > most_fields) refuse_file("it has too many properties");
  }

  std::vector<std::string> sorted() {
    std::vector<std::string> order;
    while (!waits_for_.empty()) {
      const auto next = std::ranges::find_if(waits_for_, [](const auto& field) { return field.second.empty(); });
      if (next == waits_for_.end()) refuse_file("its features have their properties in different orders");
      order.push_back(next->first);
      waits_for_.erase(next);
      for (auto& [name, waits] : waits_for_) waits.erase(order.back());
    }
    return order;
  }

 private:
  std::map<std::string, std::set<std::string>> waits_for_;
};

}  // namespace

StrokeFile::StrokeFile() : head_(stroke_file_head), tail_(stroke_file_tail) { find_fields(); }

StrokeFile::StrokeFile(const std::string& text) {
  if (text.size() > most_bytes) refuse_file("it is larger than 64 MiB");
  StrokeTexts parts = split_strokes(text);
  head_ = std::move(parts.head);
  tail_ = std::move(parts.tail);
  if (parts.features.size() > most_strokes) refuse_file("there are too many");
  strokes_.reserve(parts.features.size());
  for (StrokeText& one : parts.features) {
    std::optional<Stroke> stroke = parse_stroke(one.text);
    if (!stroke) refuse_file(fmt::format("feature {} is something else", strokes_.size() + 1));
    stroke->before = std::move(one.before);
    strokes_.push_back(std::make_shared<const Stroke>(std::move(*stroke)));
  }
  find_fields();
}

std::string StrokeFile::text() const {
  std::string text = head_;
  text.reserve(bytes_);
  for (size_t i = 0; i < strokes_.size(); ++i) {
    if (i > 0) text += strokes_[i]->before;
    text += strokes_[i]->text;
  }
  return text + tail_;
}

StrokeFile::FieldKind StrokeFile::kind_of(const StrokeValue& value) {
  constexpr FieldKind kinds[] = {FieldKind::unknown, FieldKind::number, FieldKind::text, FieldKind::list};
  return kinds[value.index()];
}

void StrokeFile::find_fields() {
  bytes_ = head_.size() + tail_.size();
  FieldOrder order;
  std::map<std::string, FieldKind> kinds;
  const Stroke* before = nullptr;
  for (const SharedStroke& stroke : strokes_) {
    bytes_ += stroke->text.size() + stroke->before.size();
    // Most strokes have the properties of the one before them.
    const bool known = before != nullptr && std::ranges::equal(stroke->properties, before->properties, {},
                                                               &StrokeProperty::name, &StrokeProperty::name);
    if (!known) order.add(*stroke);
    before = stroke.get();
    for (const StrokeProperty& property : stroke->properties) {
      const FieldKind kind = kind_of(property.value);
      if (kind == FieldKind::unknown) continue;
      FieldKind& own = kinds.try_emplace(property.name, kind).first->second;
      if (own != kind) refuse_file(fmt::format("'{}' is a number and a text", property.name));
    }
  }
  fields_.clear();
  for (const std::string& name : order.sorted()) {
    const auto kind = kinds.find(name);
    fields_.push_back({name, kind != kinds.end() ? kind->second : FieldKind::unknown});
  }
}

Lines StrokeFile::lines() const {
  LinesBuilder builder;
  std::vector<Column> columns;
  bool named = false;
  for (const Field& field : fields_) {
    Column& column = columns.emplace_back();
    const LineField told = parse_line_field(field.name);
    if (!named && field.kind != FieldKind::number && field.kind != FieldKind::list &&
        lower_case(field.name) == "name") {
      named = column.is_name = true;
    } else if (field.kind == FieldKind::number) {
      column.number = builder.number(told.per_vertex ? field.name : told.name, told.unit);
    } else if (told.per_vertex) {
      column.list = builder.vertex_number(told.name, told.unit);
    } else {
      column.text = builder.text(told.unit.empty() ? told.name : field.name);
    }
  }
  std::vector<size_t> at;
  for (const SharedStroke& stroke : strokes_) {
    std::string_view name;
    at.clear();
    size_t field = 0;
    for (const StrokeProperty& property : stroke->properties) {
      while (fields_[field].name != property.name) ++field;
      at.push_back(field);
      if (columns[field].is_name)
        if (const auto* text = std::get_if<std::string>(&property.value)) name = *text;
    }
    builder.begin(stroke->shape, name);
    builder.part(stroke->points, stroke->closed);
    for (size_t i = 0; i < at.size(); ++i) set(builder, columns[at[i]], stroke->properties[i].value);
  }
  return std::move(builder).build();
}

/// The properties of all fields that there are, null where the stroke lacks one, and then its new ones: so that the
/// order of fields is said whatever becomes of the other strokes.
std::vector<StrokeProperty> StrokeFile::in_order(const DrawnStroke& stroke) const {
  std::vector<StrokeProperty> properties;
  for (const Field& field : fields_) properties.push_back({field.name, std::monostate()});
  const auto put = [&](const std::string& name, StrokeValue value) {
    const auto known = std::ranges::find(properties, name, &StrokeProperty::name);
    if (known == properties.end()) {
      properties.push_back({name, std::move(value)});
      return;
    }
    const size_t at = static_cast<size_t>(known - properties.begin());
    if (at < fields_.size() && fields_[at].kind != FieldKind::unknown && fields_[at].kind != kind_of(value))
      refuse(fmt::format("'{}' is {} in the other strokes", name,
                         fields_[at].kind == FieldKind::number ? "a number" : "a text"));
    known->value = std::move(value);
  };
  for (const StrokeProperty& property : stroke.properties) put(property.name, property.value);
  if (!stroke.pressure.empty()) put(pressure_property, StrokeValue(stroke.pressure));
  return properties;
}

StrokeFile StrokeFile::with(const DrawnStroke& stroke) const {
  if (strokes_.size() >= most_strokes)
    refuse(fmt::format("a file holds at most {} strokes", most_strokes), "draw into another node");
  const std::string text = stroke_text(stroke, in_order(stroke));
  if (bytes_ + text.size() > most_bytes) refuse("a file of strokes has at most 64 MiB", "draw into another node");
  std::optional<Stroke> made = parse_stroke(text);
  if (!made) fail("a stroke that was drawn cannot be read");
  StrokeFile file = *this;
  file.strokes_.push_back(std::make_shared<const Stroke>(std::move(*made)));
  file.bytes_ += file.strokes_.back()->text.size() + file.strokes_.back()->before.size();
  const std::vector<StrokeProperty>& own = file.strokes_.back()->properties;
  if (own.size() > most_fields)
    refuse(fmt::format("the strokes of a file have at most {} properties together", most_fields),
           "draw into another node");
  // They are those of the others in their order, and then new ones.
  for (size_t i = 0; i < own.size(); ++i) {
    if (i == file.fields_.size()) file.fields_.push_back({own[i].name, FieldKind::unknown});
    if (own[i].value.index() > 0) file.fields_[i].kind = kind_of(own[i].value);
  }
  return file;
}

StrokeFile StrokeFile::without(size_t index) const {
  if (index >= strokes_.size())
    refuse(fmt::format("there is no stroke {}", index), fmt::format("there are {}", strokes_.size()));
  StrokeFile file = *this;
  file.splice({StrokeSplice{index, 1, {}, {}, {}}});
  return file;
}

StrokeSplice StrokeFile::difference(const StrokeFile& after) const {
  const size_t shorter = std::min(size(), after.size());
  size_t head = 0, tail = 0;
  while (head < shorter && strokes_[head] == after.strokes_[head]) ++head;
  while (tail < shorter - head && strokes_[size() - 1 - tail] == after.strokes_[after.size() - 1 - tail]) ++tail;
  StrokeSplice change{head, size() - head - tail, {}, {}, {}};
  const auto from = after.strokes_.begin();
  change.with.assign(from + static_cast<ptrdiff_t>(head), from + static_cast<ptrdiff_t>(after.size() - tail));
  if (head_ != after.head_) change.head = after.head_;
  if (tail_ != after.tail_) change.tail = after.tail_;
  return change;
}

void StrokeFile::splice(const std::vector<StrokeSplice>& changes) {
  for (const StrokeSplice& change : changes) {
    const auto from = strokes_.begin() + static_cast<ptrdiff_t>(change.at);
    const auto at = strokes_.erase(from, from + static_cast<ptrdiff_t>(change.count));
    strokes_.insert(at, change.with.begin(), change.with.end());
    if (change.head) head_ = *change.head;
    if (change.tail) tail_ = *change.tail;
  }
  find_fields();
}

StrokeFile merge_strokes(const StrokeFile& base, const StrokeFile& mine, const StrokeFile& theirs) {
  // A text may be there several times.
  std::map<std::string_view, size_t> gone;
  for (const SharedStroke& stroke : base.strokes()) ++gone[stroke->text];
  const auto take = [&](const SharedStroke& stroke) {
    const auto known = gone.find(stroke->text);
    return known != gone.end() && known->second > 0 && known->second-- > 0;
  };
  std::vector<SharedStroke> added;
  for (const SharedStroke& stroke : mine.strokes())
    if (!take(stroke)) added.push_back(stroke);
  StrokeSplice all{0, theirs.size(), {}, {}, {}};
  for (const SharedStroke& stroke : theirs.strokes())
    if (!take(stroke)) all.with.push_back(stroke);
  all.with.insert(all.with.end(), added.begin(), added.end());
  StrokeFile merged = theirs;
  merged.splice({all});
  return merged;
}

}  // namespace tepui::studio
