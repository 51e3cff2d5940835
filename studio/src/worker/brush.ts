// The brush in the hand: the path that it draws over the surface as it was when the stroke began, and its ghost.
import type { BrushInHand, FromWorker, Ghost, PointerMove, ToWorker } from '../protocol/bridge';
import { type PathPoint, type Point, resampled, shaped } from '../brush/shape';
import { band, circle, outline } from '../view/ghost';
import type { Surface, Viewport } from './viewport';

const nothing: Ghost = { ring: '', core: '', band: '', line: '' };
const most = 4000;

interface Stroke {
  points: PathPoint[];
  shift: boolean;
  ctrl: boolean;
  surface: Surface;
  moved: boolean;
  from: [number, number];
}

export class Brush {
  private inHand: BrushInHand | null = null;
  private stroke: Stroke | null = null;
  /** Placed one by one, by clicks or by the keyboard. */
  private corners: PathPoint[] = [];
  /** What was drawn last and has not come back as land yet. */
  private left: PathPoint[] = [];
  private until: number | null = null;
  private over: [number, number] | null = null;
  private last = '';

  constructor(
    private readonly viewport: Viewport,
    private readonly clip: (x: number, y: number) => [number, number],
    private readonly post: (message: FromWorker) => void,
  ) {}

  get active(): boolean {
    return this.inHand !== null;
  }
  get drawing(): boolean {
    return this.stroke !== null;
  }

  take(message: Extract<ToWorker, { to: 'brush' | 'stroke' | 'ghost' }>): void {
    if (message.to === 'brush') {
      if (!message.brush) this.drop();
      this.inHand = message.brush;
      if (!message.brush) this.left = [];
    } else if (message.to === 'ghost') {
      this.until = message.until;
    } else if (message.act === 'finish') this.finish();
    else this.drop();
    this.show();
  }

  /** False where there is nothing to draw on. */
  begin(p: PointerMove): boolean {
    if (!this.inHand) return false;
    const surface = this.viewport.freeze();
    const at = surface(...this.clip(p.x, p.y));
    if (!at) return false;
    this.stroke = { points: [], shift: p.shift, ctrl: p.ctrl, surface, moved: false, from: [p.x, p.y] };
    this.left = [];
    this.add(at, p.pressure);
    this.show();
    return true;
  }

  move(p: PointerMove): void {
    const { stroke } = this;
    this.over = [p.x, p.y];
    if (this.inHand) this.viewport.stage.quiet(600);
    if (!stroke) return this.show();
    if (this.inHand?.form.form === 'points') return;
    if (!stroke.moved && Math.hypot(p.x - stroke.from[0], p.y - stroke.from[1]) < 4) return;
    stroke.moved = true;
    // As many of the places in between as a moment allows.
    const late = performance.now() + 8;
    const step = Math.max(1, Math.ceil(p.passed.length / 12));
    for (let k = 0; k < p.passed.length && performance.now() < late; k += step) {
      const [x, y, pressure] = p.passed[k]!;
      this.add(stroke.surface(...this.clip(x, y)), pressure);
    }
    this.add(stroke.surface(...this.clip(p.x, p.y)), p.pressure);
    if (!this.byCorners) this.say('draw');
    this.show();
  }

  end(): void {
    const { stroke, inHand } = this;
    if (!stroke || !inHand) return;
    // A click is a dab, or a corner of a line.
    if (!stroke.moved && this.byCorners) {
      const at = stroke.points[0];
      this.stroke = null;
      if (at) this.place(at);
      return;
    }
    this.say('end');
    this.left = stroke.points;
    this.until = null;
    this.stroke = null;
    this.show();
  }

  /** A corner where the view's middle meets the surface, or where it was clicked. */
  place(at: PathPoint | null): void {
    if (!at) return;
    this.corners = [...this.corners, at].slice(0, most);
    this.left = [];
    this.post({ from: 'corners', count: this.corners.length });
    if (this.inHand?.form.form === 'points') this.finish();
    this.show();
  }

  /** Esc, or a second finger. */
  drop(): void {
    const lost = this.stroke !== null;
    this.stroke = null;
    this.corners = [];
    this.left = [];
    if (lost) this.post({ from: 'path', act: 'drop', points: [], shift: false, ctrl: false, ahead: [0, 0, -1] });
    this.post({ from: 'corners', count: 0 });
    this.show();
  }

  leave(): void {
    this.over = null;
    this.show();
  }

  /** Something is shown that has the stroke: it is newer, or the whole of what was a preview when the hand left. */
  appeared(generation: number, preview: boolean): void {
    if (this.until === null || generation < this.until || (generation === this.until && preview)) return;
    this.until = null;
    this.left = [];
  }

  private get byCorners(): boolean {
    const form = this.inHand?.form.form;
    return form === 'line' || form === 'area' || form === 'points';
  }

  private add(at: Point | null, pressure: number | null): void {
    const { stroke, inHand } = this;
    if (!stroke || !inHand || !at || stroke.points.length >= most) return;
    const before = stroke.points.at(-1);
    const far = before ? Math.hypot(at[0] - before[0], at[1] - before[1], at[2] - before[2]) : Infinity;
    if (before && far < inHand.radius / 16) {
      // Pressing harder in one place counts.
      if (pressure !== null && pressure > (before[3] ?? 0)) before[3] = pressure;
      return;
    }
    stroke.points.push(pressure === null ? at : [...at, pressure]);
  }

  private say(act: 'draw' | 'end', points = this.stroke?.points ?? []): void {
    const { shift, ctrl } = this.stroke ?? { shift: false, ctrl: false };
    this.post({ from: 'path', act, points, shift, ctrl, ahead: this.viewport.ahead });
  }

  private finish(): void {
    const { corners, inHand } = this;
    if (corners.length === 0 || !inHand) return;
    const path = this.byCorners ? corners : this.onto(corners);
    this.corners = [];
    this.left = path;
    this.until = null;
    this.post({ from: 'corners', count: 0 });
    this.say('end', path);
    this.show();
  }

  /** The straight lines between corners as they lie on the surface for whoever looks from here. */
  private onto(corners: readonly PathPoint[]): PathPoint[] {
    const step = (this.inHand?.radius ?? 1) / 2;
    return resampled(corners, step, 240).map((p): PathPoint => {
      const at = this.viewport.towards([p[0], p[1], p[2]]);
      const far = at ? Math.hypot(at[0] - p[0], at[1] - p[1], at[2] - p[2]) : Infinity;
      return at && far < 8 * step ? at : p;
    });
  }

  /** Draws the ghost anew: the camera, the hand or the land has moved. */
  show(): void {
    const ghost = this.ghost();
    const text = Object.values(ghost).join('|');
    if (text === this.last) return;
    this.last = text;
    this.post({ from: 'ghost', ghost });
  }

  private ghost(): Ghost {
    const { inHand, viewport } = this;
    if (!inHand) return nothing;
    const project = viewport.projector();
    const drape = viewport.drape();
    const area = inHand.form.form === 'area';
    const lines = this.byCorners;
    const path = this.stroke?.moved ? this.stroke.points : this.corners.length > 0 ? this.corners : this.left;
    // So many points that drawing stays quick.
    const few = path.length > 160 ? path.filter((_, k) => k % Math.ceil(path.length / 160) === 0 || k === path.length - 1) : path;
    const dense = few.length > 1 && drape ? resampled(few, Math.max(inHand.radius / 2, 1e-3), 200) : few;
    const ground = drape ? dense.map((p): PathPoint => [...drape([p[0], p[1], p[2]]), ...(p[3] === undefined ? [] : [p[3]])] as PathPoint) : dense;
    const curve = inHand.form.form === 'arch' || inHand.form.form === 'cave' ? shaped(resampled(few, inHand.radius, 120), inHand.form, viewport.ahead) : ground;
    const bare = curve.map((p) => viewport.local([p[0], p[1], p[2]]));
    const local = curve.map((p, k): PathPoint => [...bare[k]!, ...(p[3] === undefined ? [] : [p[3]])] as PathPoint);
    const inView = drape ? (p: Point): Point => viewport.local(drape(viewport.world(p))) : null;
    const eye = viewport.eye;
    const ring = this.ring(inView, project);
    return {
      ...ring,
      band: lines || curve.length === 0 ? '' : band(local, inHand.radius, eye, inView, project),
      line: curve.length === 0 ? '' : outline(bare, project, area && curve.length > 2) + (lines ? bare.map((p) => this.dot(p, project)).join('') : ''),
    };
  }

  private dot(p: Point, project: (p: Point) => [number, number] | null): string {
    const at = project(p);
    return at ? `M${(at[0] - 3).toFixed(1)} ${at[1].toFixed(1)}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0` : '';
  }

  private ring(drape: ((p: Point) => Point) | null, project: (p: Point) => [number, number] | null): { ring: string; core: string } {
    const { inHand, over } = this;
    const at = over && inHand ? this.viewport.pickGround(...this.clip(...over)) : null;
    if (!at || !inHand) return { ring: '', core: '' };
    if (this.byCorners) return { ring: this.dot(at, project), core: '' };
    const up: Point = drape ? [0, 0, 1] : this.viewport.facing;
    const round = (radius: number) => outline(circle(at, up, radius, drape), project, true);
    // On solids the brush is a ball.
    const ball = () => {
      const { eye } = this.viewport;
      const towards: Point = [eye[0] - at[0], eye[1] - at[1], eye[2] - at[2]];
      const size = Math.hypot(...towards) || 1;
      return outline(circle(at, [towards[0] / size, towards[1] / size, towards[2] / size], inHand.radius, null), project, true);
    };
    return { ring: round(inHand.radius), core: drape ? (inHand.hardness > 0 ? round(inHand.radius * inHand.hardness) : '') : ball() };
  }
}
