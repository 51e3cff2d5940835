#include "tepui/generate/diamond_square_params.h"

namespace tepui {

void describe(Fields<DiamondSquareParams>& f) {
  f.about(
      "Craggy land by the diamond-square method: squares are halved again and again, each new point displaced at "
      "random");
  reach_of_normalised(f);
  f("square", &DiamondSquareParams::square, Range{0.001, 1e9},
    "side of the root squares that tile the world from its south-west corner; about the size of a massif")
      .slider(5, 200)
      .sweep("25%", "50%", "100%");
  f("hurst", &DiamondSquareParams::hurst, open_range(0, 1), "Hurst exponent H: near 0 spiky, near 1 smooth")
      .slider(0.3, 0.99)
      .sweep("0.6", "0.8", "0.95");
  f("levels", &DiamondSquareParams::levels, Range{1, 20},
    "number of halvings; the finest points are square / 2^levels apart, and the land is smooth between them");
  f("height", &DiamondSquareParams::height, Range{0, 1e6},
    "height from the lowest to the highest point; with normalise=none, the range of the root squares' corners")
      .slider(0, 50);
  f("normalise", &DiamondSquareParams::normalise, {"world", "samples", "none"},
    "where the range that becomes the height is measured: over the whole world, on these samples, or not at all");
  f.seed(&DiamondSquareParams::seed);
}

}  // namespace tepui
