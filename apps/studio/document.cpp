#include "apps/studio/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tepui/core/error.h"

namespace tepui::studio {

namespace {

/// Steps that are remembered; the oldest are forgotten.
constexpr size_t most_steps = 10000;

std::string label_of(const JsonPath& path) {
  // Everybody knows where variables and nodes are.
  const size_t from = path.size() > 1 && (path.front() == "vars" || path.front() == "nodes") ? 1 : 0;
  return fmt::format("{}", fmt::join(path.begin() + static_cast<ptrdiff_t>(from), path.end(), "."));
}

std::string text_of(const std::string& text, const Json& value) {
  return text.substr(value.at.begin, value.at.end - value.at.begin);
}

/// Values by the keys to them, objects opened, lists whole.
using Leaves = std::map<JsonPath, std::string>;

void gather(const std::string& text, const Json& value, JsonPath& path, Leaves& leaves) {
  if (!value.is_object() || value.members.empty()) {
    leaves[path] = text_of(text, value);
    return;
  }
  for (const JsonMember& member : value.members) {
    path.push_back(member.key);
    gather(text, member.value, path, leaves);
    path.pop_back();
  }
}

Leaves leaves_of(const std::string& text) {
  Leaves leaves;
  JsonPath path;
  const Json document = parse_json({"recipe", text});
  gather(text, document, path, leaves);
  return leaves;
}

/// What differs: the new text of a value, or nothing where it was taken out.
std::map<JsonPath, std::string> changes_of(const Leaves& before, const Leaves& after) {
  std::map<JsonPath, std::string> changes;
  for (const auto& [path, text] : before)
    if (!after.contains(path)) changes[path] = "";
  for (const auto& [path, text] : after)
    if (const auto old = before.find(path); old == before.end() || old->second != text) changes[path] = text;
  return changes;
}

/// Whether one leads to the other, or they are the same.
bool meet(const JsonPath& a, const JsonPath& b) {
  const size_t shorter = std::min(a.size(), b.size());
  return std::equal(a.begin(), a.begin() + static_cast<ptrdiff_t>(shorter), b.begin());
}

}  // namespace

Splice difference(std::string_view before, std::string_view after) {
  const size_t shorter = std::min(before.size(), after.size());
  size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  return {head, before.size() - tail, std::string(after.substr(head, after.size() - tail - head))};
}

void Document::set(const std::string& name, const std::string& value, bool hold) {
  const JsonPath path = path_of_name(parse_json(source_), name);
  change(label_of(path), {spliced(source_.text, set_value(source_, path, value)), strokes_}, hold, label_of(path));
}

void Document::reset(const std::string& name) {
  const JsonPath path = path_of_name(parse_json(source_), name);
  change(label_of(path), {spliced(source_.text, remove_value(source_, path)), strokes_}, false, label_of(path));
}

void Document::replace(const std::string& label, std::string text, bool hold) {
  change(label, {std::move(text), strokes_}, hold, label);
}

DocumentState Document::under_hand(const std::string& hand) const {
  return held_ && held_->hand == hand ? held_->before : DocumentState{source_.text, strokes_};
}

void Document::keep(const std::string& file, const std::shared_ptr<const StrokeFile>& strokes) {
  strokes_.emplace(file, strokes);
  first_.strokes.emplace(file, strokes);
  if (held_) held_->before.strokes.emplace(file, strokes);
}

std::vector<Document::StrokeStep> Document::stroke_steps(const StrokeFiles& before, const StrokeFiles& after) {
  std::vector<StrokeStep> steps;
  for (const auto& [file, strokes] : after) {
    const auto known = before.find(file);
    const bool begins = known == before.end() || known->second == nullptr;
    if (strokes == nullptr || (!begins && known->second == strokes)) continue;
    const StrokeFile old = begins ? StrokeFile() : *known->second;
    steps.push_back({file, old.difference(*strokes), strokes->difference(old), begins});
  }
  return steps;
}

void Document::change(const std::string& hand, DocumentState state, bool hold, const std::string& label) {
  const bool goes_on = hold && held_ && held_->hand == hand;
  if (!goes_on) held_.reset();
  DocumentState before = under_hand(hand);
  Step step{label, difference(before.text, state.text), {}, stroke_steps(before.strokes, state.strokes)};
  step.back = inverse(before.text, step.forth);
  if (before.text == state.text && step.strokes.empty() && !goes_on) return;
  steps_.resize(static_cast<size_t>(at_));
  if (goes_on) {
    steps_.back() = std::move(step);
  } else {
    if (steps_.size() == most_steps) forget_first();
    steps_.push_back(std::move(step));
    if (hold) held_ = {hand, std::move(before)};
  }
  at_ = static_cast<int64_t>(steps_.size());
  source_.text = std::move(state.text);
  strokes_ = std::move(state.strokes);
}

void Document::forget_first() {
  const Step& step = steps_.front();
  first_.text = spliced(first_.text, step.forth);
  for (const StrokeStep& change : step.strokes) {
    std::shared_ptr<const StrokeFile>& file = first_.strokes[change.file];
    StrokeFile changed = file != nullptr ? *file : StrokeFile();
    changed.splice({change.forth});
    file = std::make_shared<const StrokeFile>(std::move(changed));
  }
  steps_.erase(steps_.begin());
}

bool Document::go_to(int64_t step) {
  held_.reset();
  if (step < 0 || step > static_cast<int64_t>(steps_.size())) return false;
  // All changes of a file at once, for it is looked through after each.
  std::map<std::string, std::vector<StrokeSplice>> changes;
  std::map<std::string, bool> there;
  const auto go = [&](bool back) {
    const Step& one = steps_[static_cast<size_t>(back ? --at_ : at_++)];
    source_.text = spliced(source_.text, back ? one.back : one.forth);
    for (const StrokeStep& change : one.strokes) {
      changes[change.file].push_back(back ? change.back : change.forth);
      there[change.file] = !(back && change.begins);
    }
  };
  while (at_ > step) go(true);
  while (at_ < step) go(false);
  for (const auto& [name, splices] : changes) {
    std::shared_ptr<const StrokeFile>& file = strokes_[name];
    StrokeFile changed = file != nullptr ? *file : StrokeFile();
    changed.splice(splices);
    file = there[name] ? std::make_shared<const StrokeFile>(std::move(changed)) : nullptr;
  }
  return true;
}

std::vector<std::string> Document::labels() const {
  std::vector<std::string> labels;
  for (const Step& step : steps_) labels.push_back(step.label);
  return labels;
}

std::optional<std::string> text_at(const Source& source, const JsonPath& path) {
  const Json document = parse_json(source);
  const Json* value = find_value(document, path);
  return value == nullptr ? std::nullopt : std::optional(text_of(source.text, *value));
}

Merge merge(const std::string& base, const std::string& mine, const std::string& theirs) {
  const Leaves began = leaves_of(base);
  const auto my_changes = changes_of(began, leaves_of(mine)), their_changes = changes_of(began, leaves_of(theirs));
  Merge result{theirs, {}};
  for (const auto& [path, text] : my_changes) {
    const auto clash =
        std::ranges::find_if(their_changes, [&, &at = path](const auto& other) { return meet(at, other.first); });
    if (clash == their_changes.end()) {
      const Source source{"recipe", result.text};
      // Something of mine that is gone with what was around it is gone.
      if (text.empty() && !text_at(source, path)) continue;
      result.text = spliced(result.text, text.empty() ? remove_value(source, path) : set_value(source, path, text));
    } else if (clash->first != path || clash->second != text) {
      result.clashes.push_back({path, text, clash->second});
    }
  }
  return result;
}

}  // namespace tepui::studio
