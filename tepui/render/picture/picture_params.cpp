#include "tepui/render/picture/picture_params.h"

namespace tepui {

void describe(Fields<PictureParams>& f) {
  using P = PictureParams;
  f.about("Draw land as a picture");
  f.reach(Reach::whole);
  f("camera", &P::camera, {"three_quarter", "top", "front", "orbit", "ground", "free"},
    "from one side and above; a map; from the south; from high above; as a visitor at its edge; from eye to target");
  f("size", &P::size, Range{0, largest_picture_side},
    "width and height in pixels; auto: one pixel a sample (top, at most 2048), 400 x 225 to 1280 x 720 by the land's "
    "samples (other cameras); one that is 0 follows from the other")
      .slider(0, 4096)
      .unit("px");
  f("samples", &P::samples, Range{1, 65536}, "light paths for each pixel: more are smoother and take longer")
      .slider(8, 256);
  f("draft", &P::draft, "a quick look: at most 640 x 360 or as many pixels, few samples");
  f("colour", &P::colour, {"natural", "height", "hillshade", "clay", "layer", "cover", "rock"},
    "natural ground, height tints, a plain grey hillshade, white clay, the colours of a layer, rock and what lies on "
    "it in plain colours, or the same with the resistance of the output's rock");
  f("palette", &P::palette, palette_names(), "the country that natural colours are of");
  f("layer", &P::layer, "the layer to colour by, with colour = layer; auto: the only one");
  f("colour_map", &P::colour_map, colour_map_names(),
    "how the layer's numbers become colours; by_layer: difference where some are below zero and some above, else "
    "viridis");
  f("range", &P::range, "values at the ends of the colour map; auto: those of the layer");
  f("base", &P::base, {"by_camera", "block", "plate", "horizon"},
    "what the land stands on: a cut-away block, a level plate, or land that goes on to the horizon (cameras ground and "
    "free)");
  f("sun_azimuth", &P::sun_azimuth, Range{-720, 720}, "where the sun stands, clockwise from north").slider(0, 360);
  f("sun_elevation", &P::sun_elevation, Range{1, 90}, "how high the sun stands").slider(5, 75);
  f("exposure", &P::exposure, Range{-10, 10}, "in stops: 1 is twice as bright").slider(-2, 2);
  f("haze", &P::haze, Range{0, 1}, "share of the light that the air takes over the length of the land");
  f("sea_level", &P::sea_level, "height of the sea in metres, or none; auto: the world's");
  f("exaggeration", &P::exaggeration, Range{0.001, 100}, "heights are drawn this many times as high").slider(0.5, 5);
  f("turn", &P::turn, Range{-720, 720}, "moves the camera around the land, clockwise").slider(-180, 180);
  f("tilt", &P::tilt, Range{-80, 80}, "moves the camera up").slider(-30, 60);
  f("frame", &P::frame, Range{-farthest_in_picture, farthest_in_picture},
    "heights that the camera frames, so that several lands share one view; auto: the land's own")
      .unit("m");
  f("steady", &P::steady, "frames the land so that its size stays when the camera turns");
  f("eye", &P::eye, Range{-farthest_in_picture, farthest_in_picture},
    "where the free camera is: x, y and z in metres of the world")
      .unit("m");
  f("target", &P::target, Range{-farthest_in_picture, farthest_in_picture}, "what the free camera looks at").unit("m");
  f("field_of_view", &P::field_of_view, Range{1, 150},
    "from the top to the bottom of what the cameras free and ground see")
      .slider(15, 90);
  f("cut", &P::cut, {"none", "half", "quarter"},
    "what is taken away of a volume on the side of the camera, so that caves show: nothing, all on the near side of an "
    "upright plane, or the nearest quarter");
  f("cut_at", &P::cut_at, Range{0, 1}, "where the cut goes through: shares of the plan from the west and the south");
  f("cut_turn", &P::cut_turn, Range{-720, 720}, "turns the cut around that place, clockwise").slider(-90, 90);
  f("cell", &P::cell, Range{1e-6, 1e6},
    "of a volume: metres between the points at which it is asked; auto: as many cells along its longer side as suit "
    "the "
    "picture's width")
      .unit("m");
  f("legend", &P::legend, "a colour bar where colours mean something, and a note where heights are exaggerated");
  f("linear", &P::linear, "write the light itself, too, as NAME.exr");
}

}  // namespace tepui
