#include "tepui/recipe/operator_hooks.h"

#include <algorithm>

#include "tepui/erode/amplify.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/terrain/crop.h"
#include "tepui/terrain/paint.h"
#include "tepui/terrain/resample.h"

namespace tepui {

namespace {

template <class P>
P params_of(const std::vector<ParamValue>& values) {
  return fields_of<P>().make(values);
}

constexpr size_t in_port = 0, like_port = 1;

const Frame& first(const LandFrames& at) { return *at[in_port].front(); }

Frame resampled(const LandFrames& at, const std::vector<ParamValue>& params) {
  const Frame* like = at[like_port].empty() ? nullptr : &*at[like_port].front();
  return resampled_frame(first(at), like, params_of<ResampleParams>(params));
}

}  // namespace

Framing amplify_framing() {
  Framing framing;
  framing.frame = [](const LandFrames& at, const std::vector<ParamValue>& params) {
    return amplified_frame(first(at), params_of<AmplifyParams>(params));
  };
  return framing;
}

Framing crop_framing() {
  Framing framing;
  framing.frame = [](const LandFrames& at, const std::vector<ParamValue>& params) {
    return crop_frame(first(at), params_of<CropParams>(params));
  };
  return framing;
}

Framing resample_framing() {
  Framing framing;
  framing.frame = resampled;
  framing.source = [](const LandFrames& at, const std::vector<ParamValue>& params, const Frame& window) {
    return resampled_source(first(at), resampled(at, params), window);
  };
  framing.run = [](const OperatorCall& call, const LandFrames& at, const Frame& window,
                   const Context& context) -> Value {
    const Terrain& part = get<Terrain>(call.inputs[in_port].front());
    return resampled_window(part, first(at), resampled(at, call.params), window, context);
  };
  return framing;
}

std::vector<ParamValue> coarser_resample(std::vector<ParamValue> values, const Coarseness& preview) {
  auto params = params_of<ResampleParams>(values);
  if (params.resolution) params.resolution = static_cast<int>(std::min<int64_t>(*params.resolution, preview.samples));
  if (params.cell && preview.cell && !params.cell->percent)
    params.cell = metres(std::max(params.cell->value, *preview.cell));
  return fields_of<ResampleParams>().values(params);
}

std::vector<ParamValue> coarser_polygonize(std::vector<ParamValue> values, const Coarseness& preview) {
  // Cells of a volume cost more than samples of land.
  constexpr double samples_per_cell = 4;
  auto params = params_of<PolygonizeParams>(values);
  if (params.cell.percent)
    params.cell.value = std::max(params.cell.value,
                                 100 * samples_per_cell / static_cast<double>(std::max<int64_t>(preview.samples, 1)));
  else if (preview.cell)
    params.cell.value = std::max(params.cell.value, samples_per_cell * *preview.cell);
  return fields_of<PolygonizeParams>().values(params);
}

Value polygonize_with_tiles(const OperatorCall& call, std::shared_ptr<void>& kept, const Context& context) {
  auto tiles = std::static_pointer_cast<KeptTiles>(kept);
  const std::vector<Value>& land = call.inputs[1];
  int64_t made = 0;
  const Mesh mesh =
      polygonize_again(get<Volume>(call.inputs[0].front()), land.empty() ? nullptr : &get<Terrain>(land.front()),
                       params_of<PolygonizeParams>(call.params), tiles, made, context);
  kept = std::move(tiles);
  return mesh;
}

Value paint_with_marks(const OperatorCall& call, std::shared_ptr<void>& kept, const Context& context) {
  auto painting = std::static_pointer_cast<KeptPainting>(kept);
  if (painting == nullptr) kept = painting = begin_painting();
  int64_t painted = 0;
  return paint_again(get<Terrain>(call.inputs[0].front()), get<Lines>(call.inputs[1].front()),
                     params_of<PaintParams>(call.params), *painting, painted, context);
}

}  // namespace tepui
