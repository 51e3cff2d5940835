// What lies over the land: lines of the knife and of measures, strokes of brushes, and a person of 1.8 m.
import { BufferAttribute, BufferGeometry, CapsuleGeometry, Group, Line, LineSegments, Mesh, Points, SphereGeometry, Vector4 } from 'three';
import type { DrawnStroke } from '../protocol/bridge';
import { figureFragment, figureVertex, plainFragment, plainVertex } from './shaders';
import { material } from './shared';

const accent = new Vector4(1, 0.62, 0.22, 1);

export class Marks {
  readonly group = new Group();
  private readonly line: Line;
  private readonly ends: Points;
  private readonly strokes: LineSegments;
  private readonly hot: LineSegments;
  readonly person = new Group();

  constructor() {
    const paint = material(plainVertex, plainFragment, { tint: { value: accent } });
    paint.depthTest = false;
    paint.transparent = true;
    const dots = material(plainVertex.replace('void main() {', 'void main() { gl_PointSize = 9.0;'), plainFragment, { tint: { value: accent } });
    dots.depthTest = false;
    dots.transparent = true;
    this.line = new Line(new BufferGeometry(), paint);
    this.ends = new Points(new BufferGeometry(), dots);
    const thin = material(plainVertex, plainFragment, { tint: { value: new Vector4(1, 1, 1, 0.55) } });
    thin.depthTest = false;
    thin.transparent = true;
    this.strokes = new LineSegments(new BufferGeometry(), thin);
    this.hot = new LineSegments(new BufferGeometry(), paint);
    for (const drawn of [this.line, this.ends, this.strokes, this.hot]) {
      drawn.frustumCulled = false;
      drawn.renderOrder = 5;
      this.group.add(drawn);
    }
    this.person.visible = false;
    this.dress();
    this.group.add(this.person);
    this.draw([], () => 0, 1);
    this.drawStrokes([], null, (p) => p);
  }

  private dress(): void {
    const part = (geometry: BufferGeometry, z: number, tint: Vector4, aside = 0) => {
      const mesh = new Mesh(geometry, material(figureVertex, figureFragment, { tint: { value: tint } }));
      mesh.position.set(aside, 0, z);
      mesh.rotation.x = Math.PI / 2;
      mesh.frustumCulled = false;
      this.person.add(mesh);
    };
    const cloth = new Vector4(0.2, 0.22, 0.28, 1);
    const coat = new Vector4(0.85, 0.42, 0.14, 1);
    part(new CapsuleGeometry(0.08, 0.68, 4, 10), 0.42, cloth, -0.1);
    part(new CapsuleGeometry(0.08, 0.68, 4, 10), 0.42, cloth, 0.1);
    part(new CapsuleGeometry(0.17, 0.34, 6, 14), 1.17, coat);
    part(new CapsuleGeometry(0.055, 0.5, 4, 10), 1.12, coat, -0.24);
    part(new CapsuleGeometry(0.055, 0.5, 4, 10), 1.12, coat, 0.24);
    part(new SphereGeometry(0.115, 16, 12), 1.685, new Vector4(0.75, 0.58, 0.47, 1));
  }

  /** A line over the land through the points. */
  draw(points: readonly [number, number][], ground: (x: number, y: number) => number, lift: number): void {
    const along: number[] = [];
    const ends: number[] = [];
    points.forEach(([x, y], k) => {
      ends.push(x, y, ground(x, y) + lift);
      const next = points[k + 1];
      for (let n = 0; n < (next ? 160 : 1); ++n) {
        const px = next ? x + ((next[0] - x) * n) / 160 : x;
        const py = next ? y + ((next[1] - y) * n) / 160 : y;
        along.push(px, py, ground(px, py) + lift);
      }
    });
    for (const [drawn, places] of [[this.line, along], [this.ends, ends]] as const) {
      drawn.geometry.dispose();
      drawn.geometry = new BufferGeometry();
      drawn.geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3));
      drawn.visible = places.length > 0;
    }
  }

  /** Strokes as thin lines, the one that is pointed at in the accent's colour; a dab is a small cross. */
  drawStrokes(strokes: readonly DrawnStroke[], hot: number | null, place: (p: [number, number, number]) => [number, number, number]): void {
    const [rest, one]: [number[], number[]] = [[], []];
    for (const { index, line, closed } of strokes) {
      const into = index === hot ? one : rest;
      const points = line.map((p) => place([p[0] ?? 0, p[1] ?? 0, p[2] ?? 0]));
      if (closed && points[0]) points.push(points[0]);
      if (points.length === 1) this.cross(points[0]!, into);
      for (let k = 1; k < points.length; ++k) into.push(...points[k - 1]!, ...points[k]!);
    }
    for (const [drawn, places] of [[this.strokes, rest], [this.hot, one]] as const) {
      drawn.geometry.dispose();
      drawn.geometry = new BufferGeometry();
      drawn.geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3));
      drawn.visible = places.length > 0;
    }
  }

  /** Metres of a dab's cross. */
  reach = 1;
  private cross([x, y, z]: [number, number, number], into: number[]): void {
    const far = this.reach;
    into.push(x - far, y, z, x + far, y, z, x, y - far, z, x, y + far, z);
  }

  stand(x: number, y: number, z: number): void {
    this.person.position.set(x, y, z);
    this.person.visible = true;
  }
}
