// The rock in the sides of the block: a picture of four sections, one above the other.
import { Color, DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace, UnsignedByteType } from 'three';
import type { SectionAnswer } from '../protocol/messages';

const rows = 192;

/** From `base` at the foot of each of the four parts to `top`. */
export function picture(sections: readonly SectionAnswer[], base: number, top: number): DataTexture {
  const width = sections[0]?.columns.length ?? 1;
  const cells = new Uint8Array(width * rows * sections.length * 4);
  sections.forEach(({ columns, rocks }, side) => {
    const colours = rocks.map(({ colour }) => new Color(colour).getHex(SRGBColorSpace));
    for (let x = 0; x < width; ++x) {
      const column = columns[Math.min(x, columns.length - 1)] ?? [];
      for (let y = 0; y < rows; ++y) {
        const z = base + ((y + 0.5) / rows) * (top - base);
        // Below what is known its lowest bed goes on, above it its highest.
        const bed = column.find(([high, low]) => z <= high && z > low) ?? (z > (column[0]?.[0] ?? 0) ? column[0] : column.at(-1));
        const rgb = colours[bed?.[2] ?? -1] ?? 0x6b625a;
        cells.set([rgb >> 16, (rgb >> 8) & 255, rgb & 255, 255], 4 * ((side * rows + y) * width + x));
      }
    }
  });
  const texture = new DataTexture(cells, width, rows * sections.length, RGBAFormat, UnsignedByteType);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
