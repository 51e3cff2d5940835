// A land's tiles as they are drawn: textures, levels of detail, walls at its sides, water.
import {
  DataTexture, DoubleSide, Frustum, Group, LinearFilter, LinearMipmapLinearFilter, Matrix4, Mesh, NearestFilter,
  Box3, type PerspectiveCamera, type RawShaderMaterial, RedIntegerFormat, RGBAFormat, type Texture, UnsignedByteType, UnsignedShortType, Vector2, Vector3, Vector4,
} from 'three';
import type { LandData, Paint, Tile } from './land_data';
import { grid, triangles } from './grid';
import { landFragment, landVertex, waterFragment, waterVertex } from './shaders';
import type { SectionAnswer } from '../protocol/messages';
import { bareGround, material } from './shared';
import { picture } from './sides';

const levels = [8, 16, 32, 64, 128, 256];

/** What a processor that draws cannot afford. */
export const finish = { anisotropy: 4 };

function whole(values: Uint16Array<ArrayBuffer>, width: number, height: number): DataTexture {
  const texture = new DataTexture(values, width, height, RedIntegerFormat, UnsignedShortType);
  texture.internalFormat = 'R16UI';
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.unpackAlignment = 2;
  texture.needsUpdate = true;
  return texture;
}

function painted({ cells, width, height }: Paint): DataTexture {
  const texture = new DataTexture(cells, width, height, RGBAFormat, UnsignedByteType);
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = finish.anisotropy;
  texture.needsUpdate = true;
  return texture;
}

class DrawnTile {
  readonly mesh: Mesh;
  readonly box = new Box3();
  water: Mesh | null = null;
  private readonly paint: RawShaderMaterial;
  private readonly textures: DataTexture[] = [];
  cells = 8;

  constructor(
    public tile: Tile,
    private land: LandData,
    base: number,
  ) {
    const [west, north, across, down] = land.place(tile);
    const { range, step } = land.about;
    this.paint = material(landVertex, landFragment, {
      heights: { value: this.keep(whole(tile.values, tile.width, tile.height)) },
      ground: { value: bareGround },
      light: { value: this.keep(painted(tile.light)) },
      lightSize: { value: new Vector2(tile.light.width, tile.light.height) },
      groundSize: { value: new Vector2(1, 1) },
      overlaySize: { value: new Vector2(1, 1) },
      overlay: { value: bareGround },
      overlaid: { value: 0 },
      interval: { value: 0 },
      place: { value: new Vector4(west, north, across, down) },
      samples: { value: new Vector2(tile.width, tile.height) },
      coding: { value: new Vector2(tile.offset, tile.scale) },
      outer: {
        value: new Vector4(
          +(tile.column === 0), +(tile.column === land.columns - 1), +(tile.row === 0), +(tile.row === land.rows - 1)),
      },
      base: { value: base },
      relief: { value: range[1] - base },
      drop: { value: 12 * step },
      sides: { value: bareGround },
      known: { value: new Vector2(0, 0) },
      half_: { value: new Vector2(land.about.size[0] / 2, land.about.size[1] / 2) },
    });
    this.paint.side = DoubleSide;
    this.mesh = new Mesh(grid(this.cells), this.paint);
    this.mesh.frustumCulled = false;
    this.box.set(new Vector3(west, north - down, base), new Vector3(west + across, north, range[1]));
    this.repaint();
    this.overlay();
  }

  /** Another land of the same samples takes this one's place. */
  replace(tile: Tile, land: LandData, base: number): void {
    this.tile = tile;
    this.land = land;
    const u = this.paint.uniforms;
    const heights = u['heights']!.value as DataTexture;
    heights.image.data = tile.values;
    heights.needsUpdate = true;
    (u['coding']!.value as Vector2).set(tile.offset, tile.scale);
    u['base']!.value = base;
    u['relief']!.value = land.about.range[1] - base;
    this.box.min.z = base;
    this.box.max.z = land.about.range[1];
    this.repaint();
    this.relight();
    this.overlay();
    this.drain();
  }

  private drain(): void {
    const paint = this.water?.material as RawShaderMaterial | undefined;
    const surface = paint?.uniforms['surface']?.value as DataTexture | undefined;
    if (surface !== this.paint.uniforms['heights']!.value) surface?.dispose();
    paint?.dispose();
    this.water = null;
  }

  private keep(texture: DataTexture): DataTexture {
    this.textures.push(texture);
    return texture;
  }

  private put(name: 'ground' | 'light' | 'overlay', paint: Paint): void {
    const slot = this.paint.uniforms[name];
    const size = this.paint.uniforms[`${name}Size`]?.value as Vector2 | undefined;
    if (!slot || !size) return;
    const old = slot.value as Texture;
    if (old !== bareGround && old instanceof DataTexture && size.x === paint.width && size.y === paint.height) {
      old.image.data = paint.cells;
      old.needsUpdate = true;
    } else {
      if (old !== bareGround) old.dispose();
      slot.value = this.keep(painted(paint));
    }
    size.set(paint.width, paint.height);
  }

  repaint(): void {
    if (this.tile.ground) this.put('ground', this.tile.ground);
  }
  relight(): void {
    this.put('light', this.tile.light);
  }
  /** The rock in the walls, between two heights; null where none is known. */
  wall(rock: Texture | null, base: number, top: number): void {
    this.paint.uniforms['sides']!.value = rock ?? bareGround;
    (this.paint.uniforms['known']!.value as Vector2).set(base, rock ? top : base);
  }
  overlay(): void {
    if (this.tile.overlay) this.put('overlay', this.tile.overlay);
  }
  cover(shown: boolean): void {
    this.paint.uniforms['overlaid']!.value = shown && this.tile.overlay ? 0.92 : 0;
  }
  contour(interval: number): void {
    this.paint.uniforms['interval']!.value = interval;
  }

  flood(level: number | null): void {
    const table = this.tile.water;
    if (this.water || (!table && level === null)) return;
    const u = this.paint.uniforms;
    const paint = material(waterVertex, waterFragment, {
      heights: u['heights']!, place: u['place']!, samples: u['samples']!, coding: u['coding']!, outer: u['outer']!,
      surface: { value: table ? whole(table.values, this.tile.width, this.tile.height) : u['heights']!.value },
      waterCoding: { value: new Vector2(table?.offset ?? 0, table?.scale ?? 0) },
      level: { value: level ?? 0 },
      tabled: { value: table ? 1 : 0 },
      clarity: { value: Math.max(2, this.land.about.size[0] * 0.006) },
    });
    paint.transparent = true;
    paint.side = DoubleSide;
    this.water = new Mesh(grid(this.cells), paint);
    this.water.frustumCulled = false;
    this.water.renderOrder = 2;
  }

  detail(cells: number): void {
    this.cells = cells;
    this.mesh.geometry = grid(cells);
    if (this.water) this.water.geometry = grid(cells);
  }

  show(shown: boolean, watered: boolean): void {
    this.mesh.visible = shown;
    if (this.water) this.water.visible = shown && watered;
  }

  dispose(): void {
    for (const texture of this.textures) texture.dispose();
    this.drain();
    this.paint.dispose();
  }
}

function baseOf(data: LandData): number {
  const { range, size } = data.about;
  return range[0] - Math.max(0.25 * (range[1] - range[0]), 0.035 * Math.max(size[0], size[1]));
}

export class DrawnLand {
  readonly group = new Group();
  base: number;
  private readonly tiles: DrawnTile[];
  private watered = true;

  constructor(public data: LandData) {
    this.base = baseOf(data);
    this.tiles = data.all().map((tile) => new DrawnTile(tile, data, this.base));
    for (const tile of this.tiles) this.group.add(tile.mesh);
    this.flood();
  }

  /** Whether the other land's samples lie where this one's do. */
  fits(other: LandData): boolean {
    const [a, b] = [this.data.about, other.about];
    return a.samples.join() === b.samples.join() && a.size.join() === b.size.join() && a.origin.join() === b.origin.join();
  }

  replace(data: LandData): void {
    this.data = data;
    this.base = baseOf(data);
    for (const drawn of this.tiles) {
      if (drawn.water) this.group.remove(drawn.water);
      const tile = data.tile(drawn.tile.column, drawn.tile.row);
      if (tile) drawn.replace(tile, data, this.base);
    }
    this.flood();
  }

  private find(tile: Tile): DrawnTile | undefined {
    return this.tiles.find((drawn) => drawn.tile === tile);
  }
  repaint(tile: Tile): void {
    this.find(tile)?.repaint();
  }
  overlay(tile: Tile): void {
    this.find(tile)?.overlay();
  }
  relight(tile: Tile): void {
    this.find(tile)?.relight();
  }
  flood(): void {
    const { sea_level, range } = this.data.about;
    const sea = sea_level !== null && sea_level > range[0] ? sea_level : null;
    for (const tile of this.tiles) {
      tile.flood(sea);
      if (tile.water) this.group.add(tile.water);
    }
  }
  options(contours: number, water: boolean, overlay: boolean): void {
    this.watered = water;
    for (const tile of this.tiles) {
      tile.contour(contours);
      tile.cover(overlay);
    }
  }

  /** Chooses what is drawn how finely: about `budget` triangles at most, cells of `pixels` where that is possible. */
  choose(camera: PerspectiveCamera, height: number, pixels: number, budget: number): number {
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const seen: { tile: DrawnTile; size: number }[] = [];
    const scale = (camera.projectionMatrix.elements[5]! * height) / 2;
    for (const tile of this.tiles) {
      const visible = frustum.intersectsBox(tile.box);
      tile.show(visible, this.watered);
      if (!visible) continue;
      const far = Math.max(tile.box.distanceToPoint(camera.position), camera.near);
      seen.push({ tile, size: (Math.max(tile.box.max.x - tile.box.min.x, tile.box.max.y - tile.box.min.y) / far) * scale });
    }
    for (let spacing = pixels; ; spacing *= 1.3) {
      let total = 0;
      for (const { tile, size } of seen) {
        const most = Math.max(tile.tile.width, tile.tile.height) - 1;
        tile.cells = levels.find((n) => n >= Math.min(size / spacing, most)) ?? 256;
        total += triangles(tile.cells);
      }
      if (total > budget && spacing < 400) continue;
      for (const { tile } of seen) tile.detail(tile.cells);
      return total;
    }
  }

  private rock: DataTexture | null = null;
  paintSides(sections: readonly SectionAnswer[]): void {
    const top = this.data.about.range[1];
    this.rock?.dispose();
    this.rock = sections.length === 4 ? picture(sections, this.base, top) : null;
    for (const tile of this.tiles) tile.wall(this.rock, this.base, top);
  }

  dispose(): void {
    this.rock?.dispose();
    for (const tile of this.tiles) tile.dispose();
  }
}
