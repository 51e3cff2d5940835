#include "tepui/cover/climate.h"

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

void describe(Fields<ClimateParams>& f) {
  using P = ClimateParams;
  f.about("Tell the climate of a land: temperature by height");
  f("temperature", &P::temperature, Range{-100, 60}, "mean of the year at height 0").unit("degC");
  f("seasons", &P::seasons, Range{0, 40}, "how much warmer the warmest month is than the mean").unit("K");
  f("lapse", &P::lapse, Range{-20, 20}, "how much colder it gets upwards").unit("K/km");
}

Terrain climate(const Terrain& in, const ClimateParams& params, const Context& context) {
  const Grid<float>& z = in.height();
  const auto layer = [&](const char* name, double at_zero) {
    Grid<float> t(z.width(), z.height());
    parallel_chunks(z.height(), rows_per_chunk(z.width()), context, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * z.width(); i < end * z.width(); ++i)
        t.data()[i] = to_cell(at_zero - params.lapse / 1000 * static_cast<double>(z.data()[i]));
    });
    return make_layer(name, "degC", LayerKind::continuous, std::move(t));
  };
  return in.with(layer("temperature", params.temperature))
      .with(layer("temperature_summer", params.temperature + params.seasons))
      .with(layer("temperature_winter", params.temperature - params.seasons));
}

}  // namespace tepui
