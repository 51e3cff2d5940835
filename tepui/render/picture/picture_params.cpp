#include "tepui/render/picture/picture_params.h"

namespace tepui {

void describe(Fields<PictureParams>& f) {
  using P = PictureParams;
  f.about("Draw a picture of land, a volume, a mesh or a planet");
  f.reach(Reach::whole);
  f("camera", &P::camera, {"three_quarter", "top", "front", "orbit", "ground", "free", "inside"},
    "view: from one side and above, a map from the top, from the south, from high above, from the ground at its edge, "
    "from eye to target, or inside a cave of a volume");
  f("size", &P::size, Range{0, largest_picture_side},
    "width and height in pixels; auto: one pixel per sample (top, at most 2048), or 400 x 225 to 1280 x 720 by the "
    "number of samples (other cameras); a side of 0 follows from the other")
      .slider(0, 4096)
      .unit("px");
  f("samples", &P::samples, Range{1, 65536}, "light paths per pixel; more are smoother and take longer").slider(8, 256);
  f("draft", &P::draft, "quick preview: at most as many pixels as 640 x 360, and few samples");
  f("colour", &P::colour, {"natural", "height", "hillshade", "clay", "layer", "cover", "rock"},
    "natural ground, height tints, a plain grey hillshade, white clay, the colours of a layer, rock and what lies on "
    "it in plain colours, or the resistance of the output's rock");
  describe_skin(f);
  f("models", &P::models,
    "folder of models for the plants and rocks that stand on it: conifer_0.glb, conifer_1.glb, rock_0.glb, ...; "
    "without one, those built in");
  f("layer", &P::layer, "layer to colour by, with colour = layer; auto: the only one");
  f("colour_map", &P::colour_map, colour_map_names(),
    "how the layer's numbers become colours; by_layer: difference where some are below zero and some above, "
    "compass for aspect, else viridis");
  f("range", &P::range, "values at the ends of the colour map; auto: those of the layer");
  f("base", &P::base, {"by_camera", "block", "plate", "horizon"},
    "what surrounds the land: nothing (a block), a level plate, or land up to the horizon; by_camera: horizon for "
    "ground, free and inside, else block");
  f("sun_azimuth", &P::sun_azimuth, Range{-720, 720}, "direction of the sun, clockwise from north").slider(0, 360);
  f("sun_elevation", &P::sun_elevation, Range{1, 90}, "height of the sun above the horizon").slider(5, 75);
  f("exposure", &P::exposure, Range{-10, 10}, "brightness in stops: 1 is twice as bright").slider(-2, 2);
  f("haze", &P::haze, Range{0, 1}, "share of the light that the air absorbs over the length of the land");
  f("sea_level", &P::sea_level, "sea level in metres, or none; auto: the world's");
  f("exaggeration", &P::exaggeration, Range{0.001, 100}, "factor by which heights are exaggerated").slider(0.5, 5);
  f("turn", &P::turn, Range{-720, 720}, "moves the camera around the land, clockwise, and eastwards around a planet")
      .slider(-180, 180);
  f("tilt", &P::tilt, Range{-80, 80}, "moves the camera up").slider(-30, 60);
  f("frame", &P::frame, Range{-farthest_in_picture, farthest_in_picture},
    "lowest and highest height that the view must hold, so that several lands share one view; auto: the land's own")
      .unit("m");
  f("steady", &P::steady, "choose the distance of the camera so that the land keeps its size as the camera turns");
  f("eye", &P::eye, Range{-farthest_in_picture, farthest_in_picture},
    "position of the cameras free and inside: x, y and z in world metres; auto: inside, on the line that the output is "
    "along; of a planet_view, its own camera, which then looks by heading and pitch")
      .unit("m");
  f("target", &P::target, Range{-farthest_in_picture, farthest_in_picture},
    "point that the cameras free and inside look at; auto: inside, along the line, or where the cave is longest")
      .unit("m");
  f("at", &P::at, Range{0, farthest_in_picture},
    "camera inside: how far along its line the eye is, in metres or per cent of the line");
  f("line", &P::line, "camera inside: name or number of the line to follow, of several; auto: the longest");
  f("lamp", &P::lamp, Range{0, 1000},
    "camera inside: brightness of the lamp beside the eye, 1 being the usual; 0 for "
    "none")
      .slider(0, 4);
  f("field_of_view", &P::field_of_view, Range{1, 150},
    "vertical field of view of the cameras free, ground and inside; auto: 40 degrees, or 65 inside")
      .slider(15, 90);
  f("cut", &P::cut, {"none", "half", "quarter"},
    "cut away part of a volume towards the camera, so that caves show: nothing, everything on the near side of an "
    "upright plane, or the nearest quarter");
  f("cut_at", &P::cut_at, Range{0, 1},
    "point that the cut goes through: shares of the plan from the west and the south");
  f("cut_turn", &P::cut_turn, Range{-720, 720}, "turns the cut around that point, clockwise").slider(-90, 90);
  f("cell", &P::cell, Range{1e-6, 1e6}, "volume: metres between samples; auto: chosen to suit the picture's width")
      .unit("m");
  f("crumbs", &P::crumbs, Range{0, 1e12},
    "volume: loose pieces with less surface than this are left out; auto: those that are a few cells large")
      .unit("m2");
  f("water_level", &P::water_level, Range{-farthest_in_picture, farthest_in_picture},
    "volume: level of the water that stands in its caves; auto: none but the sea")
      .unit("m");
  f("latitude", &P::latitude, Range{-90, 90}, "planet: degrees north of its equator that the eye is at; auto: 20");
  f("longitude", &P::longitude, Range{-720, 720}, "planet: degrees east that the eye is at; auto: 0").slider(-180, 180);
  f("altitude", &P::altitude, Range{0.01, farthest_in_picture},
    "planet: metres from the ground or water up to the eye; auto: as many as show the whole planet")
      .unit("m")
      .slider(1e3, 1e7);
  f("heading", &P::heading, Range{-720, 720}, "planet: direction of the view, clockwise from north; auto: 0")
      .slider(0, 360);
  f("pitch", &P::pitch, Range{-90, 90},
    "planet: angle of the view above the level, -90 being straight down; auto: straight down from far away, else with "
    "the horizon in the upper part");
  f("legend", &P::legend, "draw a colour bar if colours stand for values, and a note if heights are exaggerated");
  f("linear", &P::linear, "also write the linear light, as NAME.exr");
}

}  // namespace tepui
