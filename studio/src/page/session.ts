// The page's side of the worker: starts it, asks it, and puts what it says into the store.
import type { FromWorker, Link, Shown, ToWorker } from '../protocol/bridge';
import { type Camera, type Json, type Refusal, type Request, type Said, sentence } from '../protocol/messages';
import { change, now, tell } from './store';

export type Outcome<T> = { answer: T; error: null } | { answer: null; error: Refusal };

let worker: Worker | null = null;
let tickets = 0;
const waiting = new Map<number, (outcome: Outcome<unknown>) => void>();
const cameras = new Map<number, (camera: Camera) => void>();
export type StillRows = Extract<FromWorker, { from: 'still' }>;
/** The land that is drawn is another recipe's. */
let stale = false;
export type OfHand = Extract<FromWorker, { from: 'path' | 'corners' | 'ghost' }>;
let handListener: ((message: OfHand) => void) | null = null;
let stillListener: ((rows: StillRows) => void) | null = null;

export const post = (message: ToWorker, transfer: Transferable[] = []): void => worker?.postMessage(message, transfer);

export function ask<T = Json>(request: Request): Promise<Outcome<T>> {
  const ticket = ++tickets;
  post({ to: 'request', ticket, request });
  return new Promise((resolve) => waiting.set(ticket, resolve as (outcome: Outcome<unknown>) => void));
}

/** Asks, and shows a refusal where messages stand. */
export async function order<T = Json>(request: Request): Promise<T | null> {
  const { answer, error } = await ask<T>(request);
  if (error) tell(error.message, error.hint ?? null);
  return answer;
}

export function upload(file: File): Promise<Outcome<{ file: number }>> {
  const ticket = ++tickets;
  post({ to: 'file', ticket, name: file.name, file });
  return new Promise((resolve) => waiting.set(ticket, resolve as (outcome: Outcome<unknown>) => void));
}

export function camera(): Promise<Camera> {
  const ticket = ++tickets;
  post({ to: 'camera', ticket });
  return new Promise((resolve) => cameras.set(ticket, resolve));
}

export function onHand(listener: (message: OfHand) => void): void {
  handListener = listener;
}

export function onStill(listener: ((rows: StillRows) => void) | null): void {
  stillListener = listener;
}

function linked(link: Link, key: string | null, wait: number): void {
  if (key) sessionStorage.setItem('tepui-key', key);
  if (link === 'refused') sessionStorage.removeItem('tepui-key');
  if (link === 'older' && !sessionStorage.getItem('tepui-reloaded')) {
    sessionStorage.setItem('tepui-reloaded', '1');
    if (token) sessionStorage.setItem('tepui-token', token);
    location.reload();
    return;
  }
  if (link === 'open') sessionStorage.removeItem('tepui-reloaded');
  change({ link, wait, ...(link === 'open' ? {} : { running: false }) });
  post({ to: 'draw', options: { grey: link !== 'open' && link !== 'connecting' } });
}

function fresh(): void {
  if (!stale) return;
  stale = false;
  post({ to: 'draw', options: { grey: (now().recipe?.problems.length ?? 0) > 0, overlay: false } });
}

function said(message: Said): void {
  const state = now();
  switch (message.say) {
    case 'welcome':
      change({ welcome: message });
      break;
    case 'recipe': {
      const names = new Set(message.nodes.map((node) => node.name));
      const reports = new Map([...state.reports].filter(([name]) => names.has(name)));
      const look = message.look;
      const first = state.recipe?.name !== message.name;
      change({
        recipe: message,
        reports,
        selected: state.selected !== null && names.has(state.selected) ? state.selected : null,
        ...(message.state === 'conflict' ? {} : { conflict: null }),
        ...(message.paused === undefined ? {} : { paused: message.paused }),
        ...(first && look?.sun ? { sun: look.sun } : {}),
        // What is left of another recipe is not this one's.
        ...(first ? { thumbnails: new Map(), reports: new Map(), land: null, solid: null, legend: null, overlay: null, points: [], section: null, point: null,
          brush: { ...state.brush, settings: null, line: null, file: null, rows: null, hot: null } } : {}),
      });
      if (first) post({ to: 'mark', points: [] });
      stale = first || stale;
      document.title = `${message.title || message.name} - Tepui studio`;
      post({
        to: 'draw',
        options: {
          grey: message.problems.length > 0 || stale,
          ...(first && look?.sun ? { sun: look.sun } : {}),
          ...(look?.haze !== undefined ? { haze: look.haze } : {}),
        },
      });
      break;
    }
    case 'node': {
      const reports = new Map(state.reports);
      const before = reports.get(message.node);
      const took = message.milliseconds ?? (message.state === 'done' ? null : before?.milliseconds);
      reports.set(message.node, { ...message, ...(took === undefined ? {} : { milliseconds: took }) });
      change({ reports, running: state.running || message.state === 'working', generation: Math.max(message.generation, state.generation) });
      break;
    }
    case 'land':
      fresh();
      change({ land: message, solid: null, why: null, generation: message.generation });
      if (state.overlay !== null && !message.layers.some(({ name }) => name === state.overlay)) {
        change({ overlay: null, legend: null });
        post({ to: 'draw', options: { overlay: false } });
      }
      break;
    case 'mesh':
      fresh();
      change({ solid: message, land: null, why: null, generation: message.generation });
      break;
    case 'gone':
      change({ why: sentence(message.why), generation: Math.max(state.generation, message.generation) });
      break;
    case 'settled':
      change({ running: false, settled: { milliseconds: message.milliseconds, bytes: message.bytes } });
      break;
    case 'legend':
      change({ legend: message });
      break;
    case 'conflict':
      change({ conflict: message });
      break;
    case 'exporting':
      change({ exporting: { fraction: message.fraction, stage: message.stage } });
      break;
    case 'failed':
      tell(message.message, message.hint ?? null);
      break;
    case 'closing':
      change({ link: 'closed' });
      break;
  }
}

function heard({ data }: MessageEvent<FromWorker>): void {
  switch (data.from) {
    case 'link':
      linked(data.link, data.key, data.wait);
      break;
    case 'said':
      said(data.said);
      break;
    case 'answer': {
      const resolve = waiting.get(data.ticket);
      waiting.delete(data.ticket);
      resolve?.(data.error ? { answer: null, error: data.error } : { answer: data.answer, error: null });
      break;
    }
    case 'thumbnail': {
      const thumbnails = new Map(now().thumbnails);
      thumbnails.set(data.node, data.picture);
      change({ thumbnails });
      break;
    }
    case 'still':
      stillListener?.(data);
      break;
    case 'hover':
      change({ hover: data.at });
      break;
    case 'clicked':
      change({ points: data.points });
      break;
    case 'path':
    case 'corners':
    case 'ghost':
      handListener?.(data);
      break;
    case 'camera':
      cameras.get(data.ticket)?.(data.camera);
      cameras.delete(data.ticket);
      break;
    case 'drawing':
      change({ drawing: data.state, software: data.software });
      break;
    case 'walking':
      change({ walking: data.on });
      break;
    case 'compass':
      if (data.azimuth !== now().azimuth) change({ azimuth: data.azimuth });
      break;
    case 'shown':
      measured(data.shown);
      change({ shown: data.shown, triangles: data.triangles });
      break;
  }
}

/** For whoever observes this page's performance entries: from the last byte of a land to the end of its frame. */
function measured(shown: Shown): void {
  performance.clearMeasures('land');
  const from = shown.received - performance.timeOrigin;
  performance.measure('land', { start: Math.max(from, 0), end: Math.max(shown.fence - performance.timeOrigin, 0), detail: shown });
}

/** The token leaves the address before anything else happens. */
function takeToken(): string | null {
  const kept = sessionStorage.getItem('tepui-token');
  sessionStorage.removeItem('tepui-token');
  const token = location.hash.slice(1);
  if (!token) return kept;
  history.replaceState(null, '', location.pathname);
  return /^[\w-]{16,128}$/.test(token) ? token : null;
}

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The only script's address that this page makes. */
function workerUrl(): string {
  const path = '/worker.js';
  const policies = (window as { trustedTypes?: Policies }).trustedTypes;
  if (!policies) return path;
  const rules = {
    createScriptURL(url: string): string {
      if (url !== path) throw new TypeError('not the worker');
      return url;
    },
  };
  return policies.createPolicy('tepui', rules).createScriptURL(path);
}

const token = takeToken();

export function start(canvas: HTMLCanvasElement, size: [number, number]): void {
  worker = new Worker(workerUrl());
  worker.onmessage = heard;
  worker.onerror = (e) => tell('The view failed.', `${e.message} Reload the page; the recipe is safe.`);
  const transferable = typeof canvas.transferControlToOffscreen === 'function';
  const offscreen = transferable ? canvas.transferControlToOffscreen() : null;
  const page = document.querySelector('meta[name=page]')?.getAttribute('content') ?? '';
  const key = sessionStorage.getItem('tepui-key');
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/live`;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  post(
    { to: 'start', canvas: offscreen, size, ratio: devicePixelRatio, greet: { url, token, key: token ? null : key, page }, turn: !still },
    offscreen ? [offscreen] : [],
  );
  document.addEventListener('visibilitychange', () => post({ to: 'hidden', hidden: document.hidden }));
}
