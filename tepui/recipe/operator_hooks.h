#pragma once  // internal

#include "tepui/graph/operator.h"

// What some operators tell the engine beside their function and its parameters.

namespace tepui {

// Where land lies on other samples than that on the first port.
Framing amplify_framing();
Framing crop_framing();
Framing resample_framing();

// The parameters of a preview.
std::vector<ParamValue> coarser_resample(std::vector<ParamValue> params, const Coarseness& preview);
std::vector<ParamValue> coarser_polygonize(std::vector<ParamValue> params, const Coarseness& preview);

/// polygonize, with the tiles that were kept.
Value polygonize_with_tiles(const OperatorCall& call, std::shared_ptr<void>& kept, const Context& context);
/// paint, from the last of the lands that were kept.
Value paint_with_marks(const OperatorCall& call, std::shared_ptr<void>& kept, const Context& context);

}  // namespace tepui
