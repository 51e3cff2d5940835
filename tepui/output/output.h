#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tepui/graph/graph.h"
#include "tepui/io/tiles.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/animation.h"
#include "tepui/render/picture/picture_file.h"

// What a recipe's outputs ask for, after validation.

namespace tepui {

/// A picture from all around.
struct Turntable {
  TurntableParams turn;
  PictureParams picture;
};

/// A figure of one value.
using ValueFigure = std::variant<FigureParams, Turntable>;

/// One picture of a sheet.
struct Panel {
  Reference from;
  std::string caption;
  std::optional<PictureParams> render;  ///< a picture, or
  std::optional<FigureParams> figure;   ///< a figure
  std::optional<Reference> rock{};      ///< what the land is made of
  std::optional<Reference> rivers{};    ///< what a map of it shows
  std::optional<Reference> along{};     ///< the lines that the camera inside follows
  std::vector<Reference> scatter{};     ///< the points where plants and rocks stand on it
};

/// Pictures of several nodes in one.
struct Sheet {
  std::string title;
  int columns = 0;  ///< 0: as suits them
  std::vector<Panel> panels;
};

/// The stages of a node from one camera.
struct Timelapse {
  TimelapseParams lapse;
  PictureParams picture;
  std::vector<Reference> frames;
  std::vector<std::string> captions;
};

struct Output {
  std::string name;  ///< relative file name; of tiles, their pattern
  Reference from;    ///< of a sheet: its first panel's
  std::vector<std::string> layers;
  std::optional<Reference> rock{};    ///< what the land that it shows is made of
  std::optional<Reference> rivers{};  ///< what a map of the land shows
  std::optional<Reference> along{};   ///< the lines that the camera inside follows
  std::vector<Reference> scatter{};   ///< the points where plants and rocks stand on what it shows
  std::optional<PictureParams> render;
  std::optional<ValueFigure> figure;
  std::optional<Sheet> sheet;
  std::optional<Timelapse> timelapse;
  std::string pattern{};          ///< of a frame: what the recipe calls all of them
  std::vector<Reference> view{};  ///< of a frame that shows its stage: the first and the last, for a view of them all
  OutputParams options;
  Position at;

  /// Whether it shows the value rather than holding it.
  bool is_shown() const { return render || figure || sheet || timelapse; }

  /// All that it is made from: what it shows, the rocks, rivers and ways of that, and the stages that a view is of.
  std::vector<Reference> sources() const;

  /// The names of the files it becomes.
  std::vector<std::string> files() const;
};

}  // namespace tepui
