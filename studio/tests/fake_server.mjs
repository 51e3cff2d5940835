// A stand-in for the program: it serves the committed page and speaks the protocol about a land of its own making, so
// that tests can make it fail, stop and contradict itself. `node fake_server.mjs` prints an address to look at.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib, { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';

const here = dirname(fileURLToPath(import.meta.url));

export const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types tepui";

function frame(kind, head, cells) {
  let text = JSON.stringify(head);
  while (Buffer.byteLength(text) % 4) text += ' ';
  const bytes = Buffer.from(text);
  const start = Buffer.alloc(8);
  start.writeUInt32LE(kind, 0);
  start.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([start, bytes, cells]);
}

function hash(x, y, seed) {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 2147483647);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967295;
}

function noise(x, y, seed) {
  const i = Math.floor(x), j = Math.floor(y);
  const u = x - i, v = y - j;
  const s = u * u * (3 - 2 * u), t = v * v * (3 - 2 * v);
  const a = hash(i, j, seed), b = hash(i + 1, j, seed), c = hash(i, j + 1, seed), d = hash(i + 1, j + 1, seed);
  return (a * (1 - s) + b * s) * (1 - t) + (c * (1 - s) + d * s) * t;
}

const made = new Map();

/** Mesas whose height is `age` times 420 m. */
export function heights(samples, seed, age) {
  const key = `${samples} ${seed} ${age}`;
  if (!made.has(key)) made.set(key, mesas(samples, seed, age));
  return made.get(key);
}

/** The land with its strokes: each raises or lowers what lies within its radius. */
function painted(bare, samples, strokes) {
  const out = Float32Array.from(bare);
  const cell = 2048 / (samples - 1);
  for (const { line, properties } of strokes) {
    const radius = properties.radius ?? 20;
    const by = (properties.amount ?? 0) * (properties.tool === 'lower' ? -1 : 1) * (properties.strength ?? 1);
    const low = (axis) => Math.max(0, Math.floor((Math.min(...line.map((p) => p[axis])) - radius) / cell));
    const high = (axis) => Math.min(samples - 1, Math.ceil((Math.max(...line.map((p) => p[axis])) + radius) / cell));
    for (let j = low(1); j <= high(1); ++j)
      for (let i = low(0); i <= high(0); ++i) {
        const near = Math.min(...line.map((p) => Math.hypot(p[0] - i * cell, p[1] - j * cell)));
        if (near < radius) out[(samples - 1 - j) * samples + i] += by * (1 - (near / radius) ** 2) ** 2;
      }
  }
  return out;
}

function mesas(samples, seed, age) {
  const out = new Float32Array(samples * samples);
  for (let j = 0; j < samples; ++j)
    for (let i = 0; i < samples; ++i) {
      const x = i / (samples - 1), y = j / (samples - 1);
      let h = 0;
      for (let o = 0; o < 6; ++o) h += noise(x * 3 * 2 ** o + 7, y * 3 * 2 ** o + 3, seed + o) * 0.5 ** o;
      h /= 1.97;
      const step = Math.max(0, Math.min(1, (h - 0.52) / 0.03));
      out[j * samples + i] = 60 * h + step * 420 * age + Math.max(0, h - 0.44) * 500;
    }
  return out;
}

function png(size, pixel) {
  const rows = Buffer.alloc(size * (size * 3 + 1));
  for (let y = 0; y < size; ++y) for (let x = 0; x < size; ++x) rows.set(pixel(x, y), y * (size * 3 + 1) + 1 + 3 * x);
  const crc = zlib.crc32 ?? crcOf;
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body) >>> 0, out.length - 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** For a Node without zlib.crc32. */
function crcOf(bytes) {
  let c = ~0;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; ++k) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
  }
  return ~c;
}

const parameter = (name, type, value, more = {}) => ({
  name, type, default: value, min: null, max: null, slider: [null, null], unit: '', doc: `what ${name} does`, ...more });

const operators = [
  {
    name: 'everything', module: 'test', doc: 'Has a parameter of every type', citation: '', output: 'terrain', inputs: [],
    params: [
      parameter('number', 'number', 0.5, { min: 0, max: 1, slider: [0, 1] }),
      parameter('length', 'length', '10%', { min: 0, max: 1e9, slider: [0, 2000], unit: 'm' }),
      parameter('integer', 'integer', 5, { min: 1, max: 255, slider: [1, 20] }),
      parameter('angle', 'angle', 35, { min: 0, max: 90, slider: [0, 90], unit: 'deg' }),
      parameter('seed', 'seed', 0),
      parameter('interval', 'interval', [0, 1], { min: 0, max: 1, slider: [0, 1] }),
      parameter('lengths', 'length interval', ['2%', '20%'], { min: 0, max: 1e9, slider: [0, 500], unit: 'm' }),
      parameter('choice', 'choice', 'one', { choices: ['one', 'two', 'three', 'a longer one', 'one more'] }),
      parameter('switch', 'boolean', true),
      parameter('text', 'text', 'height'),
      parameter('file', 'file', ''),
      parameter('colour', 'colour', '#8040a0'),
      parameter('curve', 'curve', [[0, 0], [0.4, 0.2], [0.6, 0.8], [1, 1]]),
      parameter('place', 'vec3', [50, 50, 0]),
      parameter('list', 'list', [270, 90]),
      parameter('beds', 'records', [{ rock: 'lime', top: '10%', hard: true }], {
        record: [parameter('rock', 'text', 'lime'), parameter('top', 'length', '10%', { unit: 'm' }), parameter('hard', 'boolean', true)],
      }),
      parameter('levels', 'interval', 'auto', { automatic: true, min: 0, max: 100, slider: [0, 100] }),
    ],
  },
  { name: 'paint', module: 'test', doc: 'Paints', citation: '', output: 'terrain', params: [], inputs: [
    { name: 'in', type: 'terrain', optional: false, list: false }, { name: 'strokes', type: 'lines', optional: false, list: false }] },
  { name: 'stream_power', module: 'test', doc: 'Rivers cut', citation: '', output: 'terrain', params: [], inputs: [
    { name: 'in', type: 'terrain', optional: false, list: false }, { name: 'guides', type: 'lines', optional: true, list: false }, { name: 'region', type: 'lines', optional: true, list: false }] },
  { name: 'faults', module: 'test', doc: 'Piles up a massif', citation: '', output: 'terrain', inputs: [], params: [parameter('count', 'integer', 99, { min: 1, max: 999, slider: [1, 200] })] },
];

export class FakeServer {
  token = 'T'.repeat(43);
  key = 'K'.repeat(43);
  title = 'Mesas: caprock over softer beds';
  vars = new Map([['age', 0.65], ['height', '20%'], ['beds', 5]]);
  values = {};
  extra = [];
  problems = [];
  strokes = [];
  /** While this is a list, answers wait in it. */
  stalled = null;
  /** What led from each step to the next. */
  history = [];
  step = 0;
  state = 'saved';
  seed = 2;
  samples = 257;
  generation = 0;
  requests = [];
  credited = 0;
  clients = new Set();
  mute = false;
  /** Runs in the worker before its own script. */
  prelude = '';

  async start(port = 0) {
    const table = readFileSync(join(here, '../dist/table.txt'), 'utf8').trim().split('\n');
    this.page = table.shift().split(' ')[1];
    const files = new Map(table.map((line) => {
      const [path, file, ...type] = line.split(' ');
      return [path, { type: type.join(' '), bytes: readFileSync(join(here, '../dist', file)) }];
    }));
    this.http = createServer((request, response) => {
      let file = files.get(request.url);
      if (request.url === '/worker.js' && this.prelude) file = { ...file, bytes: gzipSync(this.prelude + gunzipSync(file.bytes)) };
      if (!file) return void response.writeHead(404, { 'Content-Security-Policy': policy }).end();
      response.writeHead(200, { 'Content-Type': file.type, 'Content-Encoding': 'gzip', 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' }).end(file.bytes);
    });
    this.sockets = new WebSocketServer({ server: this.http, path: '/live', handleProtocols: () => 'tepui-1', perMessageDeflate: false });
    this.sockets.on('connection', (socket) => this.joined(socket));
    await new Promise((resolve) => this.http.listen(port, '127.0.0.1', resolve));
    this.port = this.http.address().port;
    this.address = `http://127.0.0.1:${this.port}/#${this.token}`;
    return this;
  }

  async stop() {
    for (const client of this.sockets.clients) client.terminate();
    this.sockets.close();
    await new Promise((resolve) => this.http.close(resolve));
  }

  joined(socket) {
    socket.once('message', (data) => {
      const greeting = JSON.parse(data.toString());
      const known = (greeting.token && greeting.token === this.token) || (greeting.key && greeting.key === this.key);
      if (!known) return socket.close(4401);
      if (greeting.page !== this.page) return socket.close(4409);
      this.clients.add(socket);
      socket.on('close', () => this.clients.delete(socket));
      socket.on('message', (message, binary) => (binary ? this.bytes(message) : this.request(socket, JSON.parse(message.toString()))));
      this.say({ say: 'welcome', key: this.key, program: '0', name: 'mesa', operators, colour_maps: ['relief', 'magma'],
        presets: ['mesa', 'island', 'volcano', 'karst'].map((name) => ({ name, title: `${name}: a land`, thumbnail: null })), ...this.welcome });
      this.recipe();
      this.compute();
    });
  }

  say(message) {
    for (const client of this.clients) client.send(JSON.stringify(message));
  }
  send(bytes) {
    for (const client of this.clients) client.send(bytes);
  }
  bytes(message) {
    this.uploaded = (this.uploaded ?? 0) + message.length - 8 - message.readUInt32LE(4);
  }

  recipe() {
    const nodes = [
      { name: 'massif', op: 'faults', inputs: [], given: { count: '$beds' }, values: { count: this.vars.get('beds') }, kind: 'terrain' },
      { name: 'land', op: 'everything', inputs: [{ port: 'in', from: 'massif' }], given: this.values, values: this.values, kind: 'terrain' },
      ...(this.strokes.length > 0 ? [
        { name: 'strokes', op: 'read_lines', inputs: [], given: {}, values: {}, kind: 'lines', brush: true },
        { name: 'paint', op: 'paint', inputs: [{ port: 'in', from: 'land' }, { port: 'strokes', from: 'strokes' }], given: {}, values: {}, kind: 'terrain', brush: true },
      ] : []),
      ...this.extra,
    ];
    this.say({
      say: 'recipe', generation: this.generation, text: '{\n  "tepui": 1\n}\n', title: this.title, name: 'mesa', file: 'mesa.json', state: this.state, seed: this.seed,
      world: { size: [2048, 2048], resolution: this.samples, sea_level: null },
      vars: [...this.vars].map(([name, value]) => ({ name, value, default: { age: 0.65, height: '20%', beds: 5 }[name], type: { age: 'number', height: 'length', beds: 'integer' }[name], min: 0, max: { age: 1, height: 1e9, beds: 99 }[name], slider: { age: [0, 1], height: [0, 1000], beds: [1, 20] }[name], unit: name === 'height' ? 'm' : '', doc: `about ${name}`, choices: null })),
      nodes, ...(this.strokes.length > 0 ? { strokes: [{ lines: 'strokes', file: 'strokes.geojson', count: this.strokes.length, feeds: [{ node: 'paint', port: 'strokes' }] }] } : {}), look: { sun: [300, 32], haze: 0.1 }, outputs: [], shown: { node: this.strokes.length > 0 ? 'paint' : 'land', layer: null }, history: this.history.map((label) => ({ label })), step: this.step, problems: this.problems,
    });
  }

  /** A run; `again`: the whole of what was a preview. */
  compute(preview = false, again = false) {
    if (this.mute) return;
    const generation = again ? this.generation : ++this.generation;
    this.say({ say: 'node', generation, node: 'massif', state: 'done', fraction: 1, milliseconds: 3.2, cached: true });
    this.say({ say: 'node', generation, node: 'land', state: 'working', fraction: 0.4, milliseconds: null });
    this.land(generation, preview ? 129 : this.samples, preview);
    this.say({ say: 'node', generation, node: 'land', state: 'done', fraction: 1, milliseconds: 41, error: null });
    const dot = (x, y) => [120 + x, 100 + y, 90];
    for (const node of ['massif', 'land']) this.send(frame(7, { generation, node }, png(36, dot)));
    this.say({ say: 'settled', generation, milliseconds: 44, bytes: 1234567 });
  }

  land(generation, samples, preview) {
    const h = painted(heights(samples, this.seed, this.vars.get('age')), samples, this.strokes);
    const step = 2048 / (samples - 1);
    let low = Infinity, high = -Infinity;
    for (const v of h) [low, high] = [Math.min(low, v), Math.max(high, v)];
    const across = Math.ceil((samples - 1) / 256);
    this.say({ say: 'land', generation, node: 'land', preview, size: [2048, 2048], origin: [0, 0], samples: [samples, samples], step, range: [low, high], sea_level: this.sea ?? null,
      layers: [{ name: 'height', unit: 'm' }, { name: 'material', unit: '' }], tiles: across * across });
    const scale = (high - low) / 65535 || 1;
    const tiles = [];
    for (let row = 0; row < across; ++row) for (let column = 0; column < across; ++column) tiles.push([column, row]);
    const each = (cells, size, fill) => {
      for (const [column, row] of tiles) {
        const w = Math.min(257, samples - column * 256), n = Math.min(257, samples - row * 256);
        const out = Buffer.alloc(w * n * size);
        for (let j = 0; j < n; ++j) for (let i = 0; i < w; ++i) fill(out, (j * w + i) * size, (row * 256 + j) * samples + column * 256 + i, row * 256 + j, column * 256 + i);
        this.send(frame(cells, { generation, node: 'land', column, row, samples: [w, n], offset: low, scale }, out));
      }
    };
    each(1, 2, (out, at, k) => out.writeUInt16LE(Math.round((h[k] - low) / scale), at));
    each(2, 4, (out, at, k, j, i) => {
      const slope = Math.abs((h[k + 1] ?? h[k]) - h[k]) / step;
      const bed = 0.5 + 0.5 * Math.sin(h[k] / 14);
      const cliff = Math.min(1, slope / 0.8), grain = 12 * hash(i, j, 1);
      out.set([190 - 45 * cliff * bed + grain, 150 - 62 * cliff * (0.4 + bed * 0.6) + grain, 112 - 58 * cliff + grain, 255], at);
    });
  }

  request(socket, message) {
    if (message.do === 'credit') return void (this.credited += message.bytes);
    this.requests.push(message);
    const answer = (rest = {}) => {
      const say = () => socket.send(JSON.stringify({ re: message.id, ...rest }));
      if (this.stalled) this.stalled.push(say);
      else say();
    };
    const refusal = this.refuse?.(message);
    if (refusal) return answer({ error: refusal });
    switch (message.do) {
      case 'set': {
        const [kind, name, key] = message.path.split('.');
        if (kind === 'vars') this.vars.set(name, message.value);
        else if (kind === 'seed') this.seed = message.value;
        else this.values = { ...this.values, [key]: message.value };
        if (!message.hold || !this.holding) this.history = [...this.history.slice(0, this.step++), `${message.path}`];
        this.holding = message.hold;
        answer();
        this.recipe();
        return this.compute(message.hold);
      }
      case 'release':
        this.held = undefined;
        this.holding = false;
        answer();
        return this.compute(false, true);
      case 'reset': {
        const [kind, name, key] = message.path.split('.');
        if (kind === 'vars') this.vars.set(name, { age: 0.65, height: '20%', beds: 5 }[name]);
        else this.values = Object.fromEntries(Object.entries(this.values).filter(([k]) => k !== key));
        answer();
        return this.recipe();
      }
      case 'undo':
      case 'redo':
      case 'goto':
        this.step = message.do === 'goto' ? message.step : Math.max(0, Math.min(this.history.length, this.step + (message.do === 'undo' ? -1 : 1)));
        answer();
        return this.recipe();
      case 'stroke': {
        const { line, closed, properties } = message;
        const made = this.strokes.length === 0;
        if (this.held !== undefined && message.hold) this.strokes[this.held] = { line, closed, properties };
        else {
          this.strokes.push({ line, closed, properties });
          this.history = [...this.history.slice(0, this.step++), 'stroke on paint'];
        }
        this.held = message.hold ? this.strokes.length - 1 : undefined;
        answer({ node: message.onto?.node ?? 'paint', lines: 'strokes', stroke: this.strokes.length - 1, made });
        this.recipe();
        return this.compute(message.hold);
      }
      case 'strokes':
        return answer({ total: this.strokes.length, from: message.from ?? 0, strokes: this.strokes.slice(message.from ?? 0, (message.from ?? 0) + 500) });
      case 'unstroke':
        this.strokes.splice(message.stroke, 1);
        answer();
        this.recipe();
        return this.compute();
      case 'resolve':
        this.state = 'saved';
        answer();
        return this.recipe();
      case 'point':
        return answer({ height: 312.4, layers: { material: 3, hardness: 0.8 }, history: [{ node: 'massif', op: 'faults', height: 380, change: 380 }, { node: 'land', op: 'everything', height: 312.4, change: -67.6 }] });
      case 'section': {
        const distance = Array.from({ length: 200 }, (_, k) => k * 8);
        const height = distance.map((d) => 200 + 90 * Math.sin(d / 170));
        return answer({ distance, height, rocks: [{ name: 'sandstone', colour: '#c8955a' }, { name: 'shale', colour: '#7d5a44' }], columns: height.map((t) => [[t, 150, 0], [150, 0, 1]]), water: height.map((t) => (t < 130 ? 130 : null)) });
      }
      case 'overlay':
        answer();
        if (message.layer) {
          this.say({ say: 'legend', layer: message.layer, unit: 'm', range: [0, 500], colours: ['#0d0887', '#7e03a8', '#cc4778', '#f89540', '#f0f921'] });
          this.overlay(message.layer);
        }
        return;
      case 'targets':
        return answer({ targets: ['unreal', 'unity', 'godot', 'blender', 'gis'].map((name) => ({ name, label: name, sizes: [505, 1009, 2017, 4033] })) });
      case 'export':
        this.say({ say: 'exporting', fraction: 0.5, stage: 'heights' });
        return answer({ folder: '/home/someone/exports/unreal', files: ['land.png', '<b>weights</b>.png'], numbers: [{ label: 'Scale Z', value: 87.5 }, { label: 'Location', value: '-1024, -1024, 0' }] });
      case 'one_liner':
        return answer({ text: "tepui make 'noise | gradation erosion=0.65'" });
      case 'still':
        answer();
        for (let pass = 1; pass <= 2; ++pass) {
          const [w, n] = message.size;
          const rows = Math.floor(262144 / w);
          for (let row = 0; row < n; row += rows) {
            const some = Math.min(rows, n - row);
            this.send(frame(8, { generation: this.generation, size: [w, n], pass, passes: 2, row, rows: some }, Buffer.alloc(w * some * 4, 90 + 60 * pass)));
          }
        }
        return;
      case 'receive':
        return answer({ file: 7 });
      case 'received':
        return answer(message.answers.step ? {} : { asks: [{ name: 'step', label: 'Metres a sample', unit: 'm' }] });
      default:
        return answer();
    }
  }

  overlay(layer) {
    const samples = this.samples, across = Math.ceil((samples - 1) / 256);
    for (let row = 0; row < across; ++row)
      for (let column = 0; column < across; ++column) {
        const w = Math.min(257, samples - column * 256), n = Math.min(257, samples - row * 256);
        const out = Buffer.alloc(w * n * 4);
        for (let k = 0; k < w * n; ++k) out.set([(column * 90 + k / w) & 255, 80, 200 - ((row * 60 + k) % w) / 3, 255], 4 * k);
        this.send(frame(5, { generation: this.generation, node: 'land', column, row, samples: [w, n], offset: 0, scale: 1, layer }, out));
      }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await new FakeServer().start(Number(process.argv[2] ?? 0))).address);
