#include "tepui/graph/cache_bytes.h"

#include <memory>

namespace tepui {

void put_frame(ByteWriter& w, const Frame& frame) {
  w.put(frame.origin);
  w.put(frame.size);
  w.put(frame.cell);
  for (const int64_t value : {frame.first_x, frame.first_y, frame.width, frame.height}) w.put(value);
  w.word(frame.geo ? 1 : 0);
  if (!frame.geo) return;
  w.put(frame.geo->crs);
  w.put(frame.geo->origin);
  w.put(frame.geo->step);
}

Frame read_frame(ByteReader& r) {
  constexpr int64_t most_samples = int64_t{1} << 40;
  Frame frame;
  frame.origin = r.pair();
  frame.size = r.pair();
  frame.cell = r.pair();
  frame.first_x = r.integer();
  frame.first_y = r.integer();
  frame.width = r.integer();
  frame.height = r.integer();
  r.require(frame.width >= 0 && frame.height >= 0 && (frame.width == 0 || frame.height <= most_samples / frame.width));
  if (r.word() == 0) return frame;
  Georeference geo;
  geo.crs = r.text();
  geo.origin = r.pair();
  geo.step = r.pair();
  frame.geo = std::make_shared<const Georeference>(std::move(geo));
  return frame;
}

}  // namespace tepui
