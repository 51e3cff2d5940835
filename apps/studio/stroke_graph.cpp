#include "apps/studio/stroke_graph.h"

#include <deque>
#include <filesystem>

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

struct HeldPlan {
  Plan plan;
  std::deque<Operator> operators;
};

/// The operator that reads lines, where they are known already.
Operator giving(const Operator& reader, const HeldLines& held) {
  Operator op = reader;
  op.outside = [hash = held.hash](const std::vector<ParamValue>&) {
    return Hasher().add("strokes").add(hash).finish();
  };
  op.run = [lines = held.lines](const OperatorCall&, const Context&) { return Value(lines); };
  return op;
}

}  // namespace

std::string stroke_file_name(const std::string& recipe, const std::string& path) {
  const fs::path folder = fs::path(recipe).parent_path().lexically_normal(), file = fs::path(path).lexically_normal();
  const fs::path inside = folder.empty() ? file : file.lexically_relative(folder);
  return inside.empty() ? file.string() : inside.string();
}

std::string stroke_file_path(const std::string& recipe, const std::string& name) {
  return (fs::path(recipe).parent_path() / name).lexically_normal().string();
}

Hash hash_of(const HeldFiles& files) {
  Hasher hasher;
  for (const auto& [path, held] : files) hasher.add(path).add(held.hash);
  return hasher.finish();
}

HeldFiles StrokeLines::of(const std::string& recipe, const StrokeFiles& files) {
  HeldFiles held;
  for (const auto& [name, file] : files) {
    if (file == nullptr) continue;
    Kept& kept = kept_[name];
    if (kept.file != file) {
      kept.lines.lines = file->lines();
      kept.lines.hash = kept.lines.lines.hash();
      kept.file = file;
    }
    held[stroke_file_path(recipe, name)] = kept.lines;
  }
  return held;
}

std::string lines_file_of(const Node& node) {
  if (node.op == nullptr || node.op->name != "read_lines") return {};
  for (const ParamValue& value : node.params)
    if (const FilePath* file = std::get_if<FilePath>(&value)) return fs::path(file->path).lexically_normal().string();
  return {};
}

std::shared_ptr<const Plan> with_held_lines(Plan plan, const HeldFiles& files) {
  const auto held = std::make_shared<HeldPlan>();
  held->plan = std::move(plan);
  for (Node& node : held->plan.nodes)
    if (const auto found = files.find(lines_file_of(node)); found != files.end())
      node.op = &held->operators.emplace_back(giving(*node.op, found->second));
  return {held, &held->plan};
}

}  // namespace tepui::studio
