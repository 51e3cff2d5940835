// What the page and its worker say to each other.
import type { Form, PathPoint, Point } from '../brush/shape';
import type { Camera, Json, Request, Said } from './messages';

export type Tool = 'look' | 'knife' | 'measure' | 'brush';

/** A pointer of the page: mouse, pen or finger, with the places it passed since the last message. */
export interface PointerMove {
  to: 'pointer';
  act: 'down' | 'move' | 'up' | 'cancel' | 'leave';
  id: number;
  finger: boolean;
  x: number;
  y: number;
  button: number;
  shift: boolean;
  ctrl: boolean;
  alt: boolean;
  /** The space bar is held: the camera moves, whatever tool there is. */
  space: boolean;
  /** From 0 to 1; null where the device knows none. */
  pressure: number | null;
  passed: [number, number, number | null][];
}

/** What the worker has to know of the brush in the hand. */
export interface BrushInHand {
  radius: number;
  hardness: number;
  form: Form;
}

export type ToWorker =
  | { to: 'start'; canvas: OffscreenCanvas | null; size: [number, number]; ratio: number; greet: Greeting; turn: boolean }
  | { to: 'size'; size: [number, number]; ratio: number }
  | { to: 'request'; ticket: number; request: Request }
  | { to: 'file'; ticket: number; name: string; file: Blob }
  | { to: 'again' }
  | PointerMove
  | { to: 'wheel'; x: number; y: number; by: number }
  | { to: 'key'; act: 'down' | 'up'; key: string; shift: boolean }
  | { to: 'step'; move: 'turn' | 'pan' | 'zoom'; x: number; y: number }
  | { to: 'view'; name: 'frame' | 'home' | '1' | '2' | '3' | '4' }
  | { to: 'tool'; tool: Tool }
  | { to: 'click'; where: 'centre' }
  | { to: 'brush'; brush: BrushInHand | null }
  /** The corners that were placed one by one become a stroke, or the stroke is given up. */
  | { to: 'stroke'; act: 'finish' | 'drop' }
  /** The stroke's ghost stays until something newer than that generation is shown; null: until it is told again. */
  | { to: 'ghost'; until: number | null }
  | { to: 'drawn'; lines: DrawnStroke[]; hot: number | null }
  | { to: 'walk'; on: boolean }
  | { to: 'draw'; options: Partial<DrawOptions> }
  | { to: 'mark'; points: [number, number][] }
  | { to: 'camera'; ticket: number }
  | { to: 'hidden'; hidden: boolean };

/** A stroke of a file as it is shown over the land, by its number in the file. */
export interface DrawnStroke {
  index: number;
  line: number[][];
  closed: boolean;
}

export interface Greeting {
  url: string;
  token: string | null;
  key: string | null;
  page: string;
}

export interface DrawOptions {
  contours: number;
  water: boolean;
  overlay: boolean;
  sun: [number, number];
  haze: number;
  held: boolean;
  grey: boolean;
}

export type Link = 'connecting' | 'open' | 'lost' | 'refused' | 'older' | 'full' | 'closed';

export interface Shown {
  generation: number;
  preview: boolean;
  /** Milliseconds of performance.timeOrigin + now(): the last byte of its heights, and when the fence after its frame passed. */
  received: number;
  fence: number;
  bytes: number;
}

export type FromWorker =
  | { from: 'link'; link: Link; key: string | null; wait: number }
  | { from: 'said'; said: Said }
  | { from: 'answer'; ticket: number; answer: Json; error: { message: string; hint: string | null } | null }
  | { from: 'thumbnail'; node: string; picture: ImageBitmap }
  | { from: 'still'; size: [number, number]; pass: number; passes: number; row: number; rows: number; cells: Uint8ClampedArray<ArrayBuffer> }
  | { from: 'hover'; at: [number, number, number] | null }
  | { from: 'clicked'; tool: Tool; points: [number, number, number][] }
  /** What the hand draws: on the way, done, or given up. `ahead` is where the eye looks. */
  | { from: 'path'; act: 'draw' | 'end' | 'drop'; points: PathPoint[]; shift: boolean; ctrl: boolean; ahead: Point }
  /** How many corners wait to become a stroke. */
  | { from: 'corners'; count: number }
  | { from: 'ghost'; ghost: Ghost }
  | { from: 'camera'; ticket: number; camera: Camera }
  | { from: 'drawing'; state: 'none' | 'lost' | 'drawing'; software: boolean }
  | { from: 'walking'; on: boolean }
  | { from: 'compass'; azimuth: number; scale: number }
  | { from: 'shown'; shown: Shown; triangles: number };

/** Outlines in pixels of the view, as an SVG path draws them. */
export interface Ghost {
  ring: string;
  core: string;
  band: string;
  line: string;
}
