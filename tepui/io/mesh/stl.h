#pragma once  // internal

#include <array>
#include <string>
#include <string_view>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/mesh/source.h"

namespace tepui {

/// Throws unless land on these samples can be written as an STL.
void check_stl(const std::string& path, const Frame& frame);

/// Writes a mesh as a binary STL: three positions and a normal for each triangle, at most 2^32 - 1 of them. Metres, z
/// up as in Tepui: STL importers do not turn it. Atomic, block by block.
void write_stl(const FileTarget& to, const MeshSource& source, const Context& context);

/// The same of land's height, as LandMesh makes it. Returns the point of the land's frame (x, y, z) that is the mesh's
/// origin.
std::array<double, 3> write_stl(const FileTarget& to, const Terrain& terrain, const Context& context);

/// The facets of an STL, text or binary, taken as z up: three vertices for each. A file whose length fits the number of
/// facets it states is binary, whatever it begins with.
/// `path` is for messages.
Mesh parse_stl(std::string_view bytes, const std::string& path, const Context& context);

}  // namespace tepui
