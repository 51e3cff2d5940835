#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tepui/output/output_row.h"

namespace tepui {

const OutputKind& output_kind(const Kind& kind);
inline const OutputKind& output_kind(const Value& value) { return output_kind(value.kind()); }

/// Of all kinds that operators give, each ending once.
const std::vector<std::string>& value_endings();

/// Refuses a file whose ending does not hold this kind of value; `from` are the words for the value: "node 'sky'".
void check_value_file(const std::string& file, const Kind& kind, const std::string& from);

/// Whether a file of such a value takes an option of OutputParams; refused with what does, otherwise.
bool takes_option(const Kind& kind, const std::string& file, std::string_view option);
void require_option(const Kind& kind, const std::string& file, std::string_view option);

/// Refuses a kind of value that no picture in sun and sky shows, and says what does; `from` as above.
void require_pictured(const Kind& kind, const std::string& from);

/// The figure that stands for a value where nothing else is said: its usual kind, the picture alone.
FigureParams usual_figure(const Kind& kind);

/// The picture that stands for it: in sun and sky, or its usual figure, `size` pixels, with the heights of `frame`.
Image draw_value(const Value& value, const PictureParams& params, const Setting& around, const Context& context);

/// Whether bake_value takes such a value.
bool has_maps(const Kind& kind);

/// Maps of the surface of a value, by what its kind says; first what goes before the writing of a mesh. Refuses a kind
/// that has none.
std::vector<FileRecord> bake_value(const Value& value, const BakeRequest& request, const Setting& around,
                                   const Context& context);

/// A mesh in the ground's own colours, as pictures of it have them.
Mesh painted_mesh(const Mesh& mesh, const Setting& around, const Context& context);

/// What a value is made of, where it tells.
std::optional<Geology> rock_of(const Value& value);
/// The land that its surface was, where there was one with something on it.
std::optional<Terrain> covered_land_of(const Value& value);

/// The value into its file or files, by what its kind says: first what goes before the writing.
std::vector<FileRecord> write_value(const Value& value, const ExportRequest& request, const Setting& around,
                                    const Context& context);

}  // namespace tepui
