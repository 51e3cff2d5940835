// A land as it arrives in tiles: its heights, and what can be told from them. Metres; x east and y north of the land's
// middle, so that single precision suffices. No drawing here.
import type { Land } from '../protocol/messages';
import type { TileHead } from '../protocol/frames';

const stride = 256;

/** Colours over a tile, from corner to corner, with as many samples as they came with. */
export interface Paint {
  width: number;
  height: number;
  cells: Uint8Array<ArrayBuffer>;
}

export interface Tile {
  column: number;
  row: number;
  width: number;
  height: number;
  offset: number;
  scale: number;
  values: Uint16Array<ArrayBuffer>;
  ground: Paint | null;
  /** Normal east and north, the sun that reaches the ground, openness. */
  light: Paint;
  /** Where sun and openness are those of this land, not of the one before. */
  lit: boolean;
  water: { offset: number; scale: number; values: Uint16Array<ArrayBuffer> } | null;
  overlay: Paint | null;
}

export class LandData {
  readonly columns: number;
  readonly rows: number;
  private readonly tiles: (Tile | undefined)[];
  private have = 0;
  /** Metres a sample, east and north. */
  private readonly dx: number;
  private readonly dy: number;

  constructor(readonly about: Land) {
    this.columns = Math.max(1, Math.ceil((about.samples[0] - 1) / stride));
    this.rows = Math.max(1, Math.ceil((about.samples[1] - 1) / stride));
    this.dx = about.size[0] / Math.max(about.samples[0] - 1, 1) || 1;
    this.dy = about.size[1] / Math.max(about.samples[1] - 1, 1) || 1;
    this.tiles = new Array<Tile | undefined>(this.columns * this.rows);
  }

  get complete(): boolean {
    return this.have === this.tiles.length;
  }
  get grounded(): boolean {
    return this.tiles.every((tile) => tile?.ground);
  }
  all(): Tile[] {
    return this.tiles.filter((tile) => tile !== undefined);
  }

  tile(column: number, row: number): Tile | undefined {
    return column < 0 || row < 0 || column >= this.columns || row >= this.rows ? undefined : this.tiles[row * this.columns + column];
  }

  /** False if the frame does not belong to this land. */
  takeHeights(head: TileHead, cells: Uint8Array<ArrayBuffer>): boolean {
    const [width, height] = head.samples;
    if (!this.fits(head) || cells.byteLength !== width * height * 2) return false;
    const index = head.row * this.columns + head.column;
    if (!this.tiles[index]) ++this.have;
    this.tiles[index] = {
      column: head.column,
      row: head.row,
      width,
      height,
      offset: head.offset,
      scale: head.scale,
      values: new Uint16Array(cells.buffer, cells.byteOffset, width * height),
      ground: null,
      light: { width, height, cells: new Uint8Array(width * height * 4) },
      lit: false,
      water: null,
      overlay: null,
    };
    return true;
  }

  private fits(head: TileHead): boolean {
    const [width, height] = head.samples;
    return (
      head.column >= 0 && head.row >= 0 && head.column < this.columns && head.row < this.rows &&
      width === Math.min(stride + 1, this.about.samples[0] - head.column * stride) &&
      height === Math.min(stride + 1, this.about.samples[1] - head.row * stride)
    );
  }

  /** Where a tile lies: west, north, and its sides. */
  place(tile: Tile): [number, number, number, number] {
    const { samples } = this.about;
    const west = (tile.column * stride - (samples[0] - 1) / 2) * this.dx;
    const north = ((samples[1] - 1) / 2 - tile.row * stride) * this.dy;
    return [west, north, (tile.width - 1) * this.dx, (tile.height - 1) * this.dy];
  }

  /** Sample by its column and row in the whole land, which are kept inside it. */
  sample(x: number, y: number): number {
    const i = Math.min(Math.max(x, 0), this.about.samples[0] - 1);
    const j = Math.min(Math.max(y, 0), this.about.samples[1] - 1);
    const column = Math.min(Math.floor(i / stride), this.columns - 1);
    const row = Math.min(Math.floor(j / stride), this.rows - 1);
    const tile = this.tiles[row * this.columns + column];
    if (!tile) return 0;
    return tile.offset + tile.scale * (tile.values[(j - row * stride) * tile.width + (i - column * stride)] ?? 0);
  }

  inside(x: number, y: number): boolean {
    const slack = 0.5000001;
    return Math.abs(x) <= this.about.size[0] * slack && Math.abs(y) <= this.about.size[1] * slack;
  }

  heightAt(x: number, y: number): number {
    const { samples } = this.about;
    const u = x / this.dx + (samples[0] - 1) / 2;
    const v = (samples[1] - 1) / 2 - y / this.dy;
    const i = Math.floor(u);
    const j = Math.floor(v);
    const a = u - i;
    const b = v - j;
    return (
      (this.sample(i, j) * (1 - a) + this.sample(i + 1, j) * a) * (1 - b) +
      (this.sample(i, j + 1) * (1 - a) + this.sample(i + 1, j + 1) * a) * b
    );
  }

  /** Normals of all tiles; sun and openness as `before` had them there, until the program sends those of this land. */
  shade(before: LandData | null): void {
    for (const tile of this.all()) if (!tile.lit) this.shadeTile(tile, before);
  }

  private shadeTile(tile: Tile, before: LandData | null): void {
    const { width, height, values, scale } = tile;
    const light = tile.light.cells;
    const x0 = tile.column * stride;
    const y0 = tile.row * stride;
    const steepX = scale / (2 * this.dx);
    const steepY = scale / (2 * this.dy);
    for (let j = 0, k = 0; j < height; ++j)
      for (let i = 0; i < width; ++i, ++k) {
        let east: number;
        let north: number;
        if (i > 0 && j > 0 && i < width - 1 && j < height - 1) {
          east = (values[k - 1]! - values[k + 1]!) * steepX;
          north = (values[k + width]! - values[k - width]!) * steepY;
        } else {
          east = this.difference(x0 + i, y0 + j, 1, 0);
          north = -this.difference(x0 + i, y0 + j, 0, 1);
        }
        const size = 127 / Math.sqrt(east * east + north * north + 1);
        light[4 * k] = 127.5 + east * size;
        light[4 * k + 1] = 127.5 + north * size;
        light[4 * k + 2] = 255;
        light[4 * k + 3] = 255;
      }
    if (before) this.keepShadows(tile, before);
  }

  private difference(x: number, y: number, dx: number, dy: number): number {
    const [w, h] = this.about.samples;
    const low = this.sample(x - dx, y - dy);
    const high = this.sample(x + dx, y + dy);
    const edge = dx ? x === 0 || x === w - 1 : y === 0 || y === h - 1;
    return (low - high) / ((edge ? 1 : 2) * (dx ? this.dx : this.dy));
  }

  private keepShadows(tile: Tile, before: LandData): void {
    const here = this.about.samples;
    const there = before.about.samples;
    const fx = (there[0] - 1) / Math.max(here[0] - 1, 1);
    const fy = (there[1] - 1) / Math.max(here[1] - 1, 1);
    for (let j = 0, k = 0; j < tile.height; ++j) {
      const y = Math.round((tile.row * stride + j) * fy);
      const row = Math.min(Math.floor(y / stride), before.rows - 1);
      for (let i = 0; i < tile.width; ++i, ++k) {
        const x = Math.round((tile.column * stride + i) * fx);
        const column = Math.min(Math.floor(x / stride), before.columns - 1);
        const from = before.tiles[row * before.columns + column];
        if (!from) continue;
        const { width, height, cells } = from.light;
        const u = Math.round(((x - column * stride) * (width - 1)) / Math.max(from.width - 1, 1));
        const v = Math.round(((y - row * stride) * (height - 1)) / Math.max(from.height - 1, 1));
        const at = 4 * (v * width + u);
        tile.light.cells[4 * k + 2] = cells[at + 2] ?? 255;
        tile.light.cells[4 * k + 3] = cells[at + 3] ?? 255;
      }
    }
  }

  /** The colours of the land before, as fine as those were, where this one's have not come. */
  borrowGround(before: LandData): void {
    if (this.about.size.join() !== before.about.size.join() || this.about.origin.join() !== before.about.origin.join()) return;
    for (const tile of this.all()) tile.ground ??= this.borrowed(tile, before);
  }

  private borrowed(tile: Tile, before: LandData): Paint | null {
    const there = before.about.samples;
    const [fx, fy] = [0, 1].map((axis) => (there[axis]! - 1) / Math.max(this.about.samples[axis]! - 1, 1)) as [number, number];
    const width = Math.min(tile.width, Math.max(2, Math.ceil((tile.width - 1) * fx) + 1));
    const height = Math.min(tile.height, Math.max(2, Math.ceil((tile.height - 1) * fy) + 1));
    const cells = new Uint8Array(width * height * 4);
    for (let j = 0, k = 0; j < height; ++j) {
      const y = (tile.row * stride + (j * (tile.height - 1)) / (height - 1)) * fy;
      const row = Math.min(Math.floor(y / stride), before.rows - 1);
      for (let i = 0; i < width; ++i, k += 4) {
        const x = (tile.column * stride + (i * (tile.width - 1)) / (width - 1)) * fx;
        const column = Math.min(Math.floor(x / stride), before.columns - 1);
        const from = before.tiles[row * before.columns + column];
        if (!from?.ground) return null;
        const u = Math.round(((x - column * stride) * (from.ground.width - 1)) / Math.max(from.width - 1, 1));
        const v = Math.round(((y - row * stride) * (from.ground.height - 1)) / Math.max(from.height - 1, 1));
        const at = 4 * (v * from.ground.width + u);
        cells.set(from.ground.cells.subarray(at, at + 4), k);
      }
    }
    return { width, height, cells };
  }

  /** Where a ray first meets the land, or null. */
  hit(eye: readonly [number, number, number], along: readonly [number, number, number]): [number, number, number] | null {
    const { size, range, step } = this.about;
    const half: [number, number] = [size[0] / 2, size[1] / 2];
    let near = 0;
    let far = Infinity;
    for (const axis of [0, 1, 2] as const) {
      const low = axis === 2 ? range[0] - 1 : -half[axis];
      const high = axis === 2 ? range[1] + 1 : half[axis];
      const a = (low - eye[axis]) / along[axis];
      const b = (high - eye[axis]) / along[axis];
      near = Math.max(near, Math.min(a, b));
      far = Math.min(far, Math.max(a, b));
    }
    if (!(near <= far)) return null;
    const above = (t: number) => eye[2] + along[2] * t - this.heightAt(eye[0] + along[0] * t, eye[1] + along[1] * t);
    let low = near;
    // Through a wall: the ground above that place.
    if (above(low) < 0) {
      const [x, y] = point(eye, along, low);
      return [x, y, this.heightAt(x, y)];
    }
    for (let t = near; t <= far; ) {
      t += Math.max(step * 0.7, t * 0.0015, above(t) * 0.25);
      const end = Math.min(t, far);
      if (above(end) < 0) {
        let high = end;
        for (let n = 0; n < 24; ++n) {
          const middle = (low + high) / 2;
          if (above(middle) < 0) high = middle;
          else low = middle;
        }
        return point(eye, along, high);
      }
      low = end;
    }
    return null;
  }
}

function point(eye: readonly [number, number, number], along: readonly [number, number, number], t: number): [number, number, number] {
  return [eye[0] + along[0] * t, eye[1] + along[1] * t, eye[2] + along[2] * t];
}
