// What the page and its worker say to each other.
import type { Camera, Json, Request, Said } from './messages';

export type Tool = 'look' | 'knife' | 'measure';

export type ToWorker =
  | { to: 'start'; canvas: OffscreenCanvas | null; size: [number, number]; ratio: number; greet: Greeting; turn: boolean }
  | { to: 'size'; size: [number, number]; ratio: number }
  | { to: 'request'; ticket: number; request: Request }
  | { to: 'file'; ticket: number; name: string; file: Blob }
  | { to: 'again' }
  | { to: 'pointer'; act: 'down' | 'move' | 'up' | 'cancel' | 'leave'; x: number; y: number; button: number; shift: boolean; alt: boolean }
  | { to: 'wheel'; x: number; y: number; by: number }
  | { to: 'key'; act: 'down' | 'up'; key: string; shift: boolean }
  | { to: 'step'; move: 'turn' | 'pan' | 'zoom'; x: number; y: number }
  | { to: 'view'; name: 'frame' | 'home' | '1' | '2' | '3' | '4' }
  | { to: 'tool'; tool: Tool }
  | { to: 'click'; where: 'centre' }
  | { to: 'walk'; on: boolean }
  | { to: 'draw'; options: Partial<DrawOptions> }
  | { to: 'mark'; points: [number, number][] }
  | { to: 'camera'; ticket: number }
  | { to: 'hidden'; hidden: boolean };

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
  | { from: 'camera'; ticket: number; camera: Camera }
  | { from: 'drawing'; state: 'none' | 'lost' | 'drawing'; software: boolean }
  | { from: 'walking'; on: boolean }
  | { from: 'compass'; azimuth: number; scale: number }
  | { from: 'shown'; shown: Shown; triangles: number };
