#pragma once

#include "tepui/landforms/percolation.h"

namespace tepui::reference {

/// Invasion percolation from its definition: every turn all points are looked through for the one whose turn it is, and
/// every new place is compared with all points. The draws are those of the fast one.
Percolation percolate(std::span<const PercolationStart> starts, const PercolationRule& rule, const Stream& stream,
                      const AskRock& ask);

}  // namespace tepui::reference
