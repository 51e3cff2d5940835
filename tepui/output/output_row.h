#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/geology/geology.h"
#include "tepui/graph/facts.h"
#include "tepui/io/export.h"
#include "tepui/io/manifest.h"
#include "tepui/mesh/mesh.h"
#include "tepui/output/shared_view.h"
#include "tepui/render/ground/bake.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/picture.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// What is around a value when it is shown or written.
struct Setting {
  Frame world{};
  std::optional<double> sea_level{};
  std::optional<PictureParams> look{};  ///< of a file with a camera: the picture whose camera it is
  std::optional<Geology> rock{};        ///< what land is made of, where the output says
  std::optional<Terrain> land{};        ///< what a mesh's volume was made of: its layers lie on the mesh
  std::optional<Lines> rivers{};        ///< what maps of land show, where it says
  std::optional<Lines> along{};         ///< what the camera inside a volume follows, where it says
  std::vector<Lines> scatter{};         ///< the points where plants and rocks stand on it, where it says

  const PictureParams* its_look() const { return look ? &*look : nullptr; }
  const Geology* its_rock() const { return rock ? &*rock : nullptr; }
  const Terrain* its_land() const { return land ? &*land : nullptr; }
  const Lines* its_rivers() const { return rivers ? &*rivers : nullptr; }
  const Lines* its_way() const { return along ? &*along : nullptr; }
};

class KeptTiles;
class KeptPaint;

/// What a surface that is shown again and again keeps from one time to the next, so that an edit costs what it changes.
struct SurfaceMemory {
  std::shared_ptr<KeptTiles> tiles{};
  std::shared_ptr<const KeptPaint> paint{};
};

/// Maps of a surface.
struct BakeRequest {
  std::string prefix;  ///< of the files' names
  BakeParams params{};
  PngText text{};
};

/// An operator that goes before the writing of a value.
struct WritingStep {
  std::string op;                   ///< its name
  std::vector<std::string> params;  ///< "name=value"
};

/// What can be done with one kind of value when it leaves. One row each in output_kind.cpp, beside the kind's row in
/// graph/kinds.cpp: outputs, the commands, their help and their messages go by it. Which files hold it, and which
/// options they take, is in the table of formats (io/formats.h).
struct OutputKind {
  const Kind* kind = nullptr;
  std::vector<std::string> figures{};  ///< the kinds of figures that show it, the usual one first
  bool takes_world = false;            ///< whether its figures depend on the world's frame
  bool made_of_rock = false;           ///< whether its pictures may be given the rock that it is made of
  bool walked_through = false;         ///< whether its pictures may follow lines inside it
  bool stood_upon = false;             ///< whether its pictures may show plants and rocks that stand on it
  bool stood_upon_in_glb = false;      ///< whether its .glb may hold them, too
  bool held_by_images = false;         ///< whether a .png holds it, so that one is drawn only where that is said
  std::string example{};               ///< the line of operators that makes one, for operators that take it
  Interval (*heights)(const Value& value, const Context& context) = nullptr;  ///< that its pictures frame
  /// A picture in sun and sky; none where there are only figures.
  Picture (*picture)(const Value& value, const PictureParams& params, const Setting& around,
                     const Context& context) = nullptr;
  /// None where its figures are pictures.
  Drawing (*draw)(const Value& value, const FigureParams& params, const Setting& around,
                  const Context& context) = nullptr;
  /// Writes maps of its surface, and the surface laid out for them: PREFIX_NAME.png and PREFIX_mesh.glb; none where
  /// maps are those of land.
  std::vector<FileRecord> (*bake)(const Value& value, const BakeRequest& request, const Setting& around,
                                  const Context& context) = nullptr;
  // How it is shown live: as land, or by a surface; neither of what is only drawn.
  /// The land that it is.
  const Terrain& (*as_land)(const Value& value) = nullptr;
  /// The volume that it is.
  const Volume& (*as_volume)(const Value& value) = nullptr;
  /// Its surface as a mesh in the ground's colours, with about so many cells along the longer side. The memory makes it
  /// faster, and changes nothing.
  Mesh (*surface)(const Value& value, int64_t cells, const Setting& around, SurfaceMemory& memory,
                  const Context& context) = nullptr;
  /// What it is made of; none where it does not tell.
  std::optional<Geology> (*rock)(const Value& value) = nullptr;
  /// The land that its surface was, with what lies on it; none where there is none.
  std::optional<Terrain> (*covered)(const Value& value) = nullptr;
  /// Adds to what pictures that are looked at together have in common; none where they have nothing. Whether it could.
  bool (*view)(const Value& value, const ViewParams& params, SharedView& view, const Context& context) = nullptr;
  /// The value that a file holds; `how` says what the file does not, "name=value" of the parameters of the reader.
  Value (*read)(const std::string& path, const std::vector<std::string>& how, const Context& context) = nullptr;
  /// What `info` says of a file as it is stored, as JSON text; none where it is read for that.
  std::string (*file_info)(const std::string& path, const Context& context) = nullptr;
  /// What such a file holds in truth is what this operator makes of the value; none where it is the value.
  std::optional<WritingStep> (*before)(const ExportRequest& request) = nullptr;
  /// Throws what `write` would throw about the request itself; none where no file holds it.
  void (*check)(const Value& value, const ExportRequest& request) = nullptr;
  std::vector<FileRecord> (*write)(const Value& value, const ExportRequest& request, const Setting& around,
                                   const Context& context) = nullptr;
  /// What `info` says about it, an object as JSON text, and the same for a reader in a line or a few.
  std::string (*info)(const Value& value, const Context& context) = nullptr;
  std::string (*text)(const Value& value, const Context& context) = nullptr;

  /// The layer that is new or other than before on ground that is as before; empty where there is none.
  std::string (*added)(const Value& before, const Value& after) = nullptr;

  // Of what a manifest tells: where it lies, and "low", "high" and "voids" of its heights, where it has some.
  ManifestLand (*land)(const NodeFacts& facts) = nullptr;
  std::vector<ToldNumber> (*measure)(const Value& value, const Context& context) = nullptr;

  bool is_pictured() const { return picture != nullptr; }
};

}  // namespace tepui
