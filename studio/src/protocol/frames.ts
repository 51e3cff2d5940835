// Binary frames: kind, length of the head, the head as JSON, then the cells. Little endian.

export enum Kind {
  height = 1,
  ground = 2,
  light = 3,
  water = 4,
  overlay = 5,
  mesh = 6,
  picture = 7,
  still = 8,
  bytes = 16,
}

export interface TileHead {
  generation: number;
  node: string;
  column: number;
  row: number;
  samples: [number, number];
  offset: number;
  scale: number;
  layer?: string;
}

export interface MeshHead {
  generation: number;
  node: string;
  block: number;
  level: number;
  vertices: number;
  triangles: number;
  box: [[number, number, number], [number, number, number]];
  index: 'u16' | 'u32';
}

export interface StillHead {
  generation: number;
  size: [number, number];
  pass: number;
  passes: number;
  row: number;
  rows: number;
}

export interface Frame {
  kind: number;
  head: { generation: number };
  /** A view into the frame's bytes; it begins at a multiple of four. */
  cells: Uint8Array<ArrayBuffer>;
}

export function readFrame(buffer: ArrayBuffer): Frame | null {
  if (buffer.byteLength < 8) return null;
  const view = new DataView(buffer);
  const kind = view.getUint32(0, true);
  const length = view.getUint32(4, true);
  if (length % 4 !== 0 || length > buffer.byteLength - 8) return null;
  let head: unknown;
  try {
    head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  } catch {
    return null;
  }
  if (typeof head !== 'object' || head === null || typeof (head as { generation?: unknown }).generation !== 'number')
    return null;
  return { kind, head: head as { generation: number }, cells: new Uint8Array(buffer, 8 + length) };
}

export function writeFrame(kind: Kind, head: object, cells: Uint8Array<ArrayBuffer>): ArrayBuffer {
  let text = JSON.stringify(head);
  const name = new TextEncoder().encode(text);
  text += ' '.repeat((4 - (name.length % 4)) % 4);
  const headBytes = new TextEncoder().encode(text);
  const out = new Uint8Array(8 + headBytes.length + cells.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, kind, true);
  view.setUint32(4, headBytes.length, true);
  out.set(headBytes, 8);
  out.set(cells, 8 + headBytes.length);
  return out.buffer;
}
