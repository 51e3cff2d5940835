#pragma once

#include <vector>

#include "tepui/io/export.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// Throws what export_mesh would throw about the request itself, whatever the mesh.
void check_mesh_request(const ExportRequest& request);

/// Writes a mesh by the file's ending, to one file or to tiles (mesh/split.h). Tiles all have the mesh's centre as
/// their origin: put at one place they meet, quantised ones too. Refuses tiles that would hold no triangle.
std::vector<FileRecord> export_mesh(const Mesh& mesh, const ExportRequest& request, const Context& context);

}  // namespace tepui
