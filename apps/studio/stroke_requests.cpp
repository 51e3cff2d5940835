// What pages ask of strokes, and how files of strokes are kept.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "apps/studio/graph_edits.h"
#include "apps/studio/recipe_message.h"
#include "apps/studio/server.h"
#include "tepui/core/error.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

constexpr int64_t most_listed = 500, most_index = int64_t{1} << 40;

/// A word as a part of a file's name in every system.
std::string as_file_name(std::string word) {
  for (char& c : word)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
  return word.empty() ? "recipe" : word.substr(0, 80);
}

Ordered value_json(const StrokeValue& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

Ordered stroke_json(const Stroke& stroke) {
  Ordered line = Ordered::array(), properties = Ordered::object();
  for (const Vec3& p : stroke.points) line.push_back({p.x, p.y, p.z});
  for (const StrokeProperty& property : stroke.properties)
    if (const Ordered value = value_json(property.value); !value.is_null()) properties[property.name] = value;
  const bool is_polygon = stroke.shape == FeatureShape::polygon;
  if (stroke.closed && !is_polygon) line.push_back(line.front());
  return {{"line", line}, {"closed", is_polygon}, {"properties", properties}};
}

StrokePlace place_of(const Source& source, const Request& request, const NewFile& new_file) {
  const Json *onto = request.body.find("onto"), *after = request.body.find("after");
  if ((onto == nullptr) == (after == nullptr)) refuse("a stroke goes 'onto' a port or 'after' a node");
  if (onto == nullptr) return place_after(source, request.text("after"), request.text("op"), new_file);
  const Json *node = onto->find("node"), *port = onto->find("port");
  if (node == nullptr || port == nullptr || !node->is_string() || !port->is_string())
    refuse("'onto' has a 'node' and a 'port'");
  return place_onto(source, node->text, port->text, new_file);
}

/// As far as it is finished; refused where it is wrong.
Recipe sound_recipe(const Source& source) {
  Problems problems(Problems::Wanted::all);
  Recipe recipe = parse_recipe(source, {}, problems);
  if (problems.empty()) return recipe;
  const std::optional<FinishedPart> part = finished_part(source, problems.list());
  if (!part) throw Error(problems.list().front());
  return parse_recipe(part->source);
}

}  // namespace

std::string Server::require_stroke_file(const Graph& graph, const std::string& node) const {
  const int index = graph.find_node(node);
  if (index < 0) refuse(fmt::format("there is no node '{}'", node));
  const std::string file = lines_file_of(graph.node(index));
  if (file.empty())
    refuse(fmt::format("node '{}' reads no file of strokes in metres", node), "draw into a node of its own");
  return stroke_file_name(document_.source().name, file);
}

std::shared_ptr<const StrokeFile> Server::strokes_of(const std::string& file, const StrokeFiles& held) {
  if (const auto known = held.find(file); known != held.end() && known->second != nullptr) return known->second;
  const std::string& recipe = document_.source().name;
  return stroke_disk_->look_at(fs::path(recipe).parent_path().string(), stroke_file_path(recipe, file), context_);
}

std::shared_ptr<const StrokeFile> Server::keep_strokes(const std::string& file, StrokeFiles& held) {
  const std::shared_ptr<const StrokeFile> strokes = strokes_of(file, held);
  if (held.contains(file)) return strokes;
  document_.keep(file, strokes);
  held.emplace(file, strokes);
  // The files of a preset lie in a folder for the time that the program runs.
  if (file_) stroke_disk_->own(file, stroke_file_path(document_.source().name, file), strokes);
  return strokes;
}

std::string Server::new_stroke_file(const std::string& node, const StrokeFiles& held) const {
  const std::string stem = as_file_name(name() + "_" + node);
  std::string file = stem + ".geojson";
  const auto is_taken = [&] {
    const auto known = held.find(file);
    return (known != held.end() && known->second != nullptr) || !stroke_disk_->is_free(file);
  };
  for (int copy = 2; is_taken(); ++copy) file = fmt::format("{}_{}.geojson", stem, copy);
  return file;
}

void Server::hold_on() {
  save_at_.reset();
  work_.hold(true);
}

std::optional<Server::Answer> Server::stroke(Peer, const Request& request) {
  const bool hold = request.flag("hold");
  const DrawnStroke drawn = drawn_stroke(request.body);
  static constexpr const char* drawing = "stroke";
  DocumentState state = hold ? document_.under_hand(drawing) : DocumentState{document_.text(), document_.strokes()};
  Source source{document_.source().name, state.text};
  const StrokePlace place =
      place_of(source, request, [&](const std::string& node) { return new_stroke_file(node, state.strokes); });
  source.text = place.text;
  // Nothing is kept of a stroke that the recipe cannot have.
  const Recipe recipe = sound_recipe(source);
  const std::string file = require_stroke_file(recipe, place.lines);
  const auto before = place.file.empty() ? keep_strokes(file, state.strokes) : std::make_shared<const StrokeFile>();
  const auto strokes = std::make_shared<const StrokeFile>(before->with(drawn));
  state.text = place.text;
  state.strokes[file] = strokes;
  document_.change(drawing, std::move(state), hold, "stroke on " + place.node);
  if (hold) hold_on();
  if (place.made && request.text_or_none("op") != "rock_body") brush_after_[place.node] = request.text("after");
  edited();
  return Ordered{{"node", place.node}, {"lines", place.lines}, {"stroke", strokes->size() - 1}, {"made", place.made}};
}

std::optional<Server::Answer> Server::unstroke(Peer, const Request& request) {
  const std::string node = request.text("lines");
  const int64_t index = request.integer("stroke", 0, most_index);
  DocumentState state{document_.text(), document_.strokes()};
  const std::string file = require_stroke_file(sound_recipe(document_.source()), node);
  const auto before = keep_strokes(file, state.strokes);
  state.strokes[file] = std::make_shared<const StrokeFile>(before->without(static_cast<size_t>(index)));
  document_.change("stroke taken out", std::move(state), false, "stroke taken out of " + node);
  return edited();
}

std::optional<Server::Answer> Server::strokes(Peer, const Request& request) {
  const std::string node = request.text("lines");
  const int64_t from = request.body.find("from") != nullptr ? request.integer("from", 0, most_index) : 0;
  const std::string file = require_stroke_file(sound_recipe(document_.source()), node);
  const auto strokes = strokes_of(file, document_.strokes());
  Ordered list = Ordered::array();
  const int64_t end = std::min<int64_t>(std::ssize(strokes->strokes()), from + most_listed);
  for (int64_t i = from; i < end; ++i) list.push_back(stroke_json(*strokes->strokes()[static_cast<size_t>(i)]));
  return Ordered{{"total", strokes->size()}, {"from", from}, {"strokes", list}};
}

/// Of all nodes that read files that may be drawn into.
Ordered Server::strokes_json() {
  Ordered list = Ordered::array();
  if (!plan_ || !problems_.empty() || comparing_) return list;
  for (size_t i = 0; i < plan_->nodes.size(); ++i) {
    const Node& node = plan_->nodes[i];
    const std::string path = lines_file_of(node);
    if (path.empty()) continue;
    const std::string file = stroke_file_name(document_.source().name, path);
    try {
      const size_t count = strokes_of(file, document_.strokes())->size();
      Ordered feeds = Ordered::array();
      for (const Node& reader : plan_->nodes)
        for (size_t port = 0; port < reader.inputs.size(); ++port)
          for (const Reference& reference : reader.inputs[port])
            if (reference.node == static_cast<int>(i))
              feeds.push_back({{"node", reader.name}, {"port", reader.op->inputs[port].name}});
      list.push_back({{"lines", node.name}, {"file", file}, {"count", count}, {"feeds", feeds}});
    } catch (const Error&) {
      // It is read, but not drawn into.
    }
  }
  return list;
}

// Files.

StrokeFiles Server::named_strokes() const {
  StrokeFiles named;
  for (const auto& [name, strokes] : document_.strokes())
    if (strokes != nullptr && named_.contains(name)) named.emplace(name, strokes);
  return named;
}

void Server::save_strokes() {
  const StrokeFiles named = named_strokes();
  for (const auto& [name, strokes] : named) {
    const auto first = document_.first_strokes().find(name);
    if (stroke_disk_->owns(name) || first == document_.first_strokes().end()) continue;
    // A preset's file that was copied beside the recipe when that was saved.
    const std::string path = stroke_file_path(document_.source().name, name);
    const auto there = stroke_disk_->look_at(folder_, path, context_);
    if (there->text() == first->second->text()) stroke_disk_->own(name, path, there);
  }
  stroke_disk_->save(named);
}

void Server::take_their_strokes() {
  std::optional<Error> problem;
  const StrokeFiles changed = stroke_disk_->changed_outside(document_.strokes(), problem);
  if (!changed.empty()) {
    DocumentState state{document_.text(), document_.strokes()};
    for (const auto& [name, strokes] : changed) state.strokes[name] = strokes;
    document_.change("outside", std::move(state), false, "changed outside");
    refresh();
  }
  if (problem) say_failed(*problem);
}

void Server::look_at_strokes() {
  if (!file_ || !clashes_.empty() || save_at_ || document_.is_held()) return;
  const int64_t before = document_.at();
  try {
    take_their_strokes();
    if (document_.at() != before && !stroke_disk_->holds(named_strokes())) save_at_ = Clock::now();
  } catch (const Error& error) {
    say_failed(error);
  }
}

void Server::name_strokes_anew(const std::string& recipe) {
  DocumentState state{document_.text(), document_.strokes()};
  Source source{document_.source().name, state.text};
  const std::string stem = as_file_name(fs::path(recipe).stem().string());
  for (const auto& [name, strokes] : named_strokes()) {
    if (!stroke_disk_->owns(name) && name.find('/') == std::string::npos && stroke_disk_->is_free(name)) continue;
    const std::string old = as_file_name(fs::path(name).stem().string());
    std::string fresh = fmt::format("{}_{}.geojson", stem, old);
    for (int copy = 2; state.strokes.contains(fresh) || !stroke_disk_->is_free(fresh); ++copy)
      fresh = fmt::format("{}_{}_{}.geojson", stem, old, copy);
    for (const Node& node : plan_->nodes)
      if (const std::string file = lines_file_of(node); !file.empty() && stroke_file_name(source.name, file) == name)
        source.text =
            spliced(source.text, set_value(source, {"nodes", node.name, "file"}, json_text(json_string(fresh, {}))));
    state.strokes[fresh] = strokes;
  }
  state.text = source.text;
  document_.change("name", std::move(state), false, "saved as " + recipe);
  refresh();
}

}  // namespace tepui::studio
