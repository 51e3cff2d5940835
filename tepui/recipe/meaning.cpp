#include "tepui/recipe/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tepui/core/error.h"
#include "tepui/core/text.h"
#include "tepui/recipe/operators.h"

namespace tepui {

namespace {

/// Words that people use for the same things. One line each; a word may be in several.
const std::vector<std::vector<std::string>>& topics() {
  static const std::vector<std::vector<std::string>> lists{
      {"water", "sea", "ocean", "lake", "river", "flood", "shore"},
      {"erosion", "erode", "wear", "worn", "weather", "weathering", "decay", "talus", "debris", "gradation", "thermal"},
      {"slope", "steep", "gradient", "incline", "angle", "aspect", "curvature", "derivative"},
      {"rough", "roughness", "rugged", "ruggedness", "tri", "texture", "uneven"},
      {"position", "tpi", "prominence", "ridge", "valley", "relative", "topographic"},
      {"hillshade", "shade", "shadow", "shaded", "relief", "light", "illumination"},
      {"accessibility", "sky", "view", "visibility", "openness", "horizon", "occlusion"},
      {"smooth", "blur", "soften", "levelling", "filter", "flatten"},
      {"rock", "stone", "geology", "strata", "bed", "layer", "hardness", "resistance", "mineral", "lithology"},
      {"mountain", "hill", "ridge", "peak", "massif", "uplift", "relief", "plateau", "mesa", "butte", "terrain"},
      {"cave", "arch", "tunnel", "overhang", "hollow", "volume", "solid", "carve", "sculpt", "dig", "hole"},
      {"mesh", "triangle", "polygon", "model", "surface", "decimate", "reduce", "lod"},
      {"mask", "select", "selection", "brush", "paint", "painted", "region", "where"},
      {"import", "load", "open", "file", "dem", "heightmap", "image", "read", "geotiff"},
      {"cut", "crop", "clip", "window", "trim", "part"},
      {"scale", "resize", "resolution", "resample", "upscale", "downscale", "samples", "interpolate"},
      {"add", "merge", "mix", "blend", "combine", "multiply", "union", "subtract", "max", "min", "boolean"},
      {"random", "fractal", "noise", "perlin", "simplex", "fbm", "midpoint", "brownian"},
      {"volcano", "crater", "caldera", "cone", "deposition", "particle", "lava"},
      {"terrace", "step", "stairs", "curve", "remap", "adjust", "contrast", "clamp"},
      {"place", "move", "turn", "rotate", "translate", "transform", "copy", "instance", "scatter"},
      {"map", "projection", "crs", "epsg", "reproject", "coordinates", "georeference"},
      {"line", "lines", "vector", "path", "polyline", "geojson", "shapefile", "skyline"},
      {"fold", "bend", "warp", "twist", "distort", "deform", "turbulence"},
      {"fault", "crack", "break", "tectonic", "scarp", "shear"},
      {"sand", "dune", "desert", "sediment", "deposit", "soil"}};
  return lists;
}

/// Without the ends that English hangs on: "eroded", "erosion" and "erode" begin alike.
std::string stem(const std::string& word) {
  for (const std::string_view end : {"ations", "ation", "ings", "ing", "ions", "ion", "ed", "es", "s", "e"})
    if (word.size() >= end.size() + 4 && word.ends_with(end)) return word.substr(0, word.size() - end.size());
  return word;
}

/// The stems of a text's words.
std::set<std::string> stems(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : lower_case(std::string(text)) + " ") {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      word += c;
    } else {
      if (word.size() > 2) words.insert(stem(word));
      word.clear();
    }
  }
  return words;
}

/// Whether one is the other or its beginning: "erod" and "eros" are not, so that both are looked up as topics.
bool alike(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::string &shorter = a.size() < b.size() ? a : b, &longer = a.size() < b.size() ? b : a;
  return shorter.size() >= 4 && longer.starts_with(shorter);
}

bool any_alike(const std::set<std::string>& words, const std::string& wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) { return alike(word, wanted); });
}

/// What an operator says of itself, and how much each part of it counts.
struct KnownOperator {
  const Operator* op;
  std::set<std::string> name, about, params, docs;

  /// Of the word that was asked for.
  double own_score(const std::string& wanted) const {
    return (any_alike(name, wanted) ? 32 : 0) + (any_alike(about, wanted) ? 20 : 0) +
           (any_alike(params, wanted) ? 8 : 0) + (docs.contains(wanted) ? 4 : 0);
  }
  /// Of another for the same thing, of which a mention in passing says nothing.
  double other_score(const std::string& wanted) const {
    return (name.contains(wanted) ? 20 : 0) + (about.contains(wanted) ? 6 : 0);
  }
};

const std::vector<KnownOperator>& index() {
  static const std::vector<KnownOperator> all = [] {
    std::vector<KnownOperator> list;
    for (const Operator& op : operators()) {
      KnownOperator entry{&op, stems(op.name), stems(op.params.about), {}, {}};
      for (const Field& field : op.params.fields) {
        entry.params.merge(stems(field.name));
        entry.docs.merge(stems(field.doc));
        for (const std::string& choice : field.choices) entry.params.merge(stems(choice));
      }
      list.push_back(std::move(entry));
    }
    return list;
  }();
  return all;
}

/// The words that mean what a word means, and are not it.
std::set<std::string> other_words(const std::set<std::string>& own) {
  std::set<std::string> others;
  for (const std::vector<std::string>& topic : topics())
    if (std::ranges::any_of(topic, [&](const std::string& word) { return any_alike(own, stem(word)); }))
      for (const std::string& word : topic)
        if (!own.contains(stem(word))) others.insert(stem(word));
  return others;
}

}  // namespace

std::vector<const Operator*> operators_about(const std::string& word, size_t most) {
  const std::set<std::string> own = stems(word), others = other_words(own);
  std::vector<std::pair<double, const Operator*>> found;
  for (const KnownOperator& entry : index()) {
    double score = 0;
    for (const std::string& wanted : own) score += entry.own_score(wanted);
    for (const std::string& wanted : others) score += entry.other_score(wanted);
    if (score > 0) found.emplace_back(score, entry.op);
  }
  std::ranges::stable_sort(found, std::greater<>(), [](const auto& pair) { return pair.first; });
  std::vector<const Operator*> list;
  for (const auto& [score, op] : found)
    // What is far behind the best has little to do with it.
    if (list.size() < most && score >= 0.35 * found.front().first) list.push_back(op);
  return list;
}

bool concerns(const std::string& word, std::string_view text) {
  const std::set<std::string> said = stems(text), own = stems(word), others = other_words(own);
  return std::ranges::any_of(said, [&](const std::string& one) { return any_alike(own, one) || others.contains(one); });
}

std::string suggest_operator(const std::string& name) {
  std::vector<std::string> known, about;
  for (const Operator& op : operators()) known.push_back(op.name);
  const std::string near = nearest_name(name, known);
  for (const Operator* op : operators_about(name, 6)) about.push_back(op->name);
  // A word that means something is no slip of the keys, unless it leads to the same.
  const bool means_something = !about.empty() || !other_words(stems(name)).empty();
  if (!near.empty() && (!means_something || std::ranges::find(about, near) != about.end()))
    return fmt::format("did you mean '{}'?", near);
  if (about.empty()) return "'tepui ops' lists them all";
  return fmt::format("related: {}", fmt::join(about, ", "));
}

const Operator& require_operator(const std::string& name) {
  if (const Operator* op = find_operator(name)) return *op;
  refuse(fmt::format("there is no operator '{}'", name), suggest_operator(name));
}

}  // namespace tepui
