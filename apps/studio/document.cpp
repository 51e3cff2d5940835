#include "apps/studio/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tepui/core/error.h"

namespace tepui::studio {

namespace {

/// Steps that are remembered; the oldest are forgotten.
constexpr size_t most_steps = 2000;

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

std::string Document::first_text() const {
  std::string text = source_.text;
  for (int64_t step = at_; step > 0; --step) text = spliced(text, steps_[static_cast<size_t>(step - 1)].back);
  return text;
}

void Document::set(const std::string& name, const std::string& value, bool hold) {
  const JsonPath path = path_of_name(parse_json(source_), name);
  change(label_of(path), spliced(source_.text, set_value(source_, path, value)), hold);
}

void Document::reset(const std::string& name) {
  const JsonPath path = path_of_name(parse_json(source_), name);
  change(label_of(path), spliced(source_.text, remove_value(source_, path)), false);
}

void Document::replace(const std::string& label, std::string text, bool hold) { change(label, std::move(text), hold); }

void Document::change(const std::string& label, std::string text, bool hold) {
  const bool goes_on = hold && held_ && held_->label == label;
  if (!goes_on) held_.reset();
  if (text == source_.text && !goes_on) return;
  steps_.resize(static_cast<size_t>(at_));
  const std::string before = goes_on ? held_->before : source_.text;
  Step step{label, difference(before, text), {}};
  step.back = inverse(before, step.forth);
  if (goes_on) {
    steps_.back() = std::move(step);
  } else {
    if (steps_.size() == most_steps) steps_.erase(steps_.begin());
    steps_.push_back(std::move(step));
    if (hold) held_ = {label, before};
  }
  at_ = static_cast<int64_t>(steps_.size());
  source_.text = std::move(text);
}

bool Document::go_to(int64_t step) {
  held_.reset();
  if (step < 0 || step > static_cast<int64_t>(steps_.size())) return false;
  while (at_ > step) source_.text = spliced(source_.text, steps_[static_cast<size_t>(--at_)].back);
  while (at_ < step) source_.text = spliced(source_.text, steps_[static_cast<size_t>(at_++)].forth);
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
