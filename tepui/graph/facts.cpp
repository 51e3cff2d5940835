#include "tepui/graph/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/graph/cache_bytes.h"

namespace tepui {

Frame NodeFacts::frame() const {
  const std::optional<Frame> found = kind->frame != nullptr ? kind->frame(outline) : std::nullopt;
  if (!found) fail(fmt::format("{} has no frame", kind->noun));
  return *found;
}

void add_known_parts(KnownParts& known, const Value& value, const NodeFacts& facts) {
  if (!value.kind().is_kept()) return;
  const std::vector<PartBytes> parts = value.kind().parts(value);
  for (size_t i = 0; i < parts.size() && i < facts.parts.size(); ++i)
    if (!parts[i].empty()) known[parts[i].data()] = facts.parts[i].content;
}

NodeFacts facts_of(const Value& value, const KnownParts& known) {
  NodeFacts facts;
  facts.kind = &value.kind();
  facts.bytes = value.bytes();
  if (!facts.kind->is_kept()) {
    facts.hash = value.hash();
    return facts;
  }
  for (const PartBytes& part : facts.kind->parts(value)) {
    const auto found = known.find(part.data());
    facts.parts.push_back({found != known.end() ? found->second : hash_large(part.data(), part.size()), part.size()});
  }
  facts.outline = facts.kind->outline(value, facts.parts);
  facts.hash = facts.kind->quick_hash != nullptr ? facts.kind->quick_hash(value, facts.parts) : value.hash();
  return facts;
}

std::string facts_text(const NodeFacts& facts) {
  ByteWriter w;
  w.put(facts.kind->name);
  w.put(facts.hash);
  w.word(facts.bytes);
  w.put(facts.cost);
  w.put(facts.outline);
  w.word(facts.parts.size());
  for (const Part& part : facts.parts) {
    w.put(part.content);
    w.word(part.bytes);
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
  ByteReader r(text);
  NodeFacts facts;
  const auto kind = std::ranges::find(kinds(), r.text(), &Kind::name);
  if (kind == kinds().end()) return std::nullopt;
  facts.kind = &*kind;
  facts.hash = r.hash();
  facts.bytes = r.word();
  facts.cost = r.number();
  facts.outline = r.text();
  for (size_t left = r.count(); left > 0 && r.sound(); --left) {
    const Hash content = r.hash();
    facts.parts.push_back({content, r.word()});
  }
  for (size_t left = r.count(); left > 0 && r.sound(); --left) facts.warnings.push_back(r.text());
  for (size_t left = r.count(); left > 0 && r.sound(); --left) {
    std::string name = r.text();
    const double value = r.number();
    facts.told.push_back({std::move(name), value, r.text()});
  }
  r.require(r.at_end());
  if (!r.sound()) return std::nullopt;
  return facts;
}

}  // namespace tepui
