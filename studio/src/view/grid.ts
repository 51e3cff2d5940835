// Meshes of n x n cells over the unit square with walls around them, shared by all tiles of a level of detail.
import { BufferAttribute, BufferGeometry } from 'three';

const made = new Map<number, BufferGeometry>();

/** In z: 0 surface, 1-4 top of the wall in west, east, north, south, 5-8 its foot. */
export function grid(n: number): BufferGeometry {
  const known = made.get(n);
  if (known) return known;
  const places: number[] = [];
  const corners: number[] = [];
  for (let j = 0; j <= n; ++j) for (let i = 0; i <= n; ++i) places.push(i / n, j / n, 0);
  for (let j = 0; j < n; ++j)
    for (let i = 0; i < n; ++i) {
      const a = j * (n + 1) + i;
      const c = a + n + 1;
      corners.push(a, c, a + 1, a + 1, c, c + 1);
    }
  for (let side = 1; side <= 4; ++side) {
    const first = places.length / 3;
    for (let i = 0; i <= n; ++i) {
      const s = i / n;
      const [x, y] = side === 1 ? [0, s] : side === 2 ? [1, s] : side === 3 ? [s, 0] : [s, 1];
      places.push(x, y, side, x, y, side + 4);
    }
    for (let i = 0; i < n; ++i) {
      const a = first + 2 * i;
      corners.push(a, a + 1, a + 2, a + 2, a + 1, a + 3);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3));
  geometry.setIndex(new BufferAttribute(places.length / 3 > 65535 ? new Uint32Array(corners) : new Uint16Array(corners), 1));
  made.set(n, geometry);
  return geometry;
}

export const triangles = (n: number): number => 2 * n * n + 8 * n;

/** One triangle that covers the picture. */
export function cover(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
  return geometry;
}
