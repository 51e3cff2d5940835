#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/studio/stroke_file.h"

// The text of files of strokes: GeoJSON, one feature a line.

namespace tepui::studio {

/// Of the files that the studio begins itself: metres of a world that lies nowhere on Earth.
inline constexpr std::string_view stroke_file_head =
    R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"LOCAL_CS[\"Local metres\",UNIT[\"metre\",1]]"}},"features":[)"
    "\n";
inline constexpr std::string_view stroke_file_tail = "\n]}\n";

/// The list of pressures of a stroke's points, as files have it.
inline constexpr const char* pressure_property = "pressure_per_vertex";

struct StrokeText {
  std::string before, text;
};
/// A file taken apart; together again, its bytes are the same.
struct StrokeTexts {
  std::string head, tail;
  std::vector<StrokeText> features;
};
/// Refuses what is no collection of features.
StrokeTexts split_strokes(const std::string& text);

/// What a feature says; none where it is more than a plain stroke.
std::optional<Stroke> parse_stroke(const std::string& text);

/// The feature as text, with its properties in their order.
std::string stroke_text(const DrawnStroke& stroke, const std::vector<StrokeProperty>& properties);

}  // namespace tepui::studio
