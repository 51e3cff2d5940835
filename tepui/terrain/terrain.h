#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/core/hash.h"

namespace tepui {

/// What a layer's numbers mean: resampling, statistics, export and colours read it.
enum class LayerKind {
  continuous,  ///< may be interpolated
  category,    ///< whole numbers from 0 that name classes
  mask,        ///< from 0 to 1
};
std::string_view layer_kind_name(LayerKind kind);

/// A named map over a terrain's frame. Always finite.
struct Layer {
  std::string name;
  std::string unit;  ///< "m", "" for none
  LayerKind kind = LayerKind::continuous;
  std::shared_ptr<const Grid<float>> data;
  int classes = 0;  ///< of a category layer: how many classes there are, whichever of them its samples hold

  const Grid<float>& grid() const { return *data; }
  /// The same kind of layer with other cells.
  Layer holding(Grid<float> cells) const;
};

Layer make_layer(std::string name, std::string unit, LayerKind kind, Grid<float> data);

/// Paper 000's unit interval in metres: G = (z - base) / (top - base). A terrain's own is within what a layer can hold.
struct Relief {
  double base = 0, top = 1;
  double span() const { return top - base; }
  /// Whether shares of it mean anything: not of a relief that is level, or next to it.
  bool has_shares() const { return span() >= 1e-30; }
  friend bool operator==(const Relief&, const Relief&) = default;
};

/// A layer without its cells, which it names by their content.
struct LayerOutline {
  std::string name;
  std::string unit;
  LayerKind kind = LayerKind::continuous;
  int classes = 0;
  Hash cells;
};
/// Of a layer's cells alone.
Hash cells_hash(const Grid<float>& cells);

/// All of a land but the cells of its layers.
struct TerrainOutline {
  Frame frame;
  Relief relief;
  std::vector<LayerOutline> layers;

  /// Of the land.
  Hash hash() const;
  /// That the land holds.
  size_t bytes() const;
};

/// Land in 2.5D: named layers over one frame; `height` in metres is the ground. A value: immutable, cheap to copy,
/// layers are shared.
class Terrain {
 public:
  static constexpr std::string_view kind_name = "terrain";

  Terrain() = default;
  Terrain(Frame frame, Relief relief);
  Terrain(Frame frame, Relief relief, Grid<float> height);

  const Frame& frame() const { return frame_; }
  const Relief& relief() const { return relief_; }
  const std::vector<Layer>& layers() const { return layers_; }

  const Layer* find(std::string_view name) const;
  /// Throws with the names there are.
  const Layer& layer(std::string_view name) const;
  const Grid<float>& height() const { return layer("height").grid(); }

  /// The same land with a layer added or replaced.
  Terrain with(Layer layer) const;
  Terrain with_height(Grid<float> height) const;
  Terrain with_relief(Relief relief) const;
  /// The same land without a layer; itself where there is none of that name.
  Terrain without(std::string_view name) const;
  /// Only the named layer: what the reference "node.layer" means.
  Terrain only(std::string_view name) const;

  size_t bytes() const;
  /// Of the frame, relief and every layer.
  Hash hash() const;

 private:
  Frame frame_;
  Relief relief_;
  std::vector<Layer> layers_;
};

/// Hashes of cells that are known already need not be computed again.
using KnownCells = std::map<const Grid<float>*, Hash>;
TerrainOutline outline(const Terrain& terrain, const KnownCells& known = {});

/// The layer that a mask port means: `mask` if there is one, else the only layer, if it is a mask or numbers from 0 to
/// 1 without a unit. Anything else, heights above all, is refused.
const Layer& mask_layer(const Terrain& terrain);

}  // namespace tepui
