// Keys that work everywhere but in fields.
import { useEffect } from 'react';
import { compare, dice, escape, pause, redo, setContours, take, undo } from '../page/acts';
import { toggleBrush } from '../page/brushes';
import { post } from '../page/session';
import { change, now } from '../page/store';
import { toggleDock } from './dock';

export const shortcuts: [string, string][] = [
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo'],
  ['C (hold)', 'compare with the recipe as it was opened'],
  ['Esc', 'stop computing; close what is open'],
  ['P', 'pause and go on'],
  ['F, Home', 'frame the land; the first view'],
  ['1 2 3 4', 'map, three-quarter, south, west'],
  ['W A S D', 'walk at 1.8 m; Shift runs, Esc leaves'],
  ['Arrows, Shift arrows, + \u2212', 'on the land: turn, pan, zoom'],
  ['Enter', 'on the land: click its middle'],
  ['I, K, M', 'point, knife, measure'],
  ['B', 'brushes'],
  ['With a brush', '[ and ], Ctrl or Alt wheel: radius; Shift: smooth; Ctrl: the opposite; T: the height under the cursor'],
  ['Enter, Shift Enter', 'with a brush, on the land: put a corner in the middle of the view; draw the stroke'],
  ['Middle button, space', 'with a brush: turn the land; right button: move it'],
  ['Two fingers, three', 'turn and zoom; move'],
  ['L', 'contours'],
  ['R', 'another seed'],
  ['E', 'export'],
  ['H', 'history'],
  ['G', 'the nodes as a graph, and back'],
  ['In the graph', 'A: add, F2: rename, Delete, Ctrl D: duplicate, Ctrl G: group, T: tidy, F: all of it, V: show in the view, arrows: move'],
  ['F6', 'the next part of the page; arrows move within presets and nodes'],
  ['?', 'this list'],
  ['On a slider', 'arrows, Shift: fine, Page keys: coarse, Delete or double-click: default, digits: type'],
];

const parts = ['.top button', '.presets [tabindex="0"]', '.surface', '.side [role=slider], .side input', '.dock .nodes [tabindex="0"], .dock .graph, .dock .list button', '.status button:not(:disabled)'];

/** The focus goes to the next part of the page. */
function nextPart(by: number): void {
  const here = parts.findIndex((part) => document.querySelector(part)?.closest('header, nav, canvas, aside, section, footer')?.contains(document.activeElement));
  for (let k = 1; k <= parts.length; ++k) {
    const part = parts[(here + by * k + parts.length * k) % parts.length];
    const found = part ? document.querySelector<HTMLElement>(part) : null;
    if (found) return found.focus();
  }
}

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select') || target.isContentEditable);

function pressed(e: KeyboardEvent): void {
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  if ((e.ctrlKey || e.metaKey) && !typing(e.target)) {
    if (key === 'z') (e.shiftKey ? redo : undo)();
    else if (key === 'y') redo();
    else return;
    e.preventDefault();
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (key === 'Escape') {
    escape();
    return;
  }
  const { dialog } = now();
  if (typing(e.target) || (dialog !== null && dialog !== 'history')) return;
  if ('wasd'.includes(key) && key.length === 1) {
    if (!e.repeat) post({ to: 'key', act: 'down', key, shift: e.shiftKey });
  } else if (['1', '2', '3', '4'].includes(key)) post({ to: 'view', name: key as '1' | '2' | '3' | '4' });
  else if (key === 'f') post({ to: 'view', name: 'frame' });
  else if (key === 'Home') post({ to: 'view', name: 'home' });
  else if (key === 'c') compare(true);
  else if (key === 'p') pause(!now().paused);
  else if (key === 'i') take('look');
  else if (key === 'k') take('knife');
  else if (key === 'm') take('measure');
  else if (key === 'b') toggleBrush();
  else if (key === 'l') setContours(now().contours === 0);
  else if (key === 'r') dice();
  else if (key === 'e') change({ dialog: 'export' });
  else if (key === 'h') change({ dialog: dialog === 'history' ? null : 'history' });
  else if (key === 'g') toggleDock(now().dock);
  else if (key === 'F6') nextPart(e.shiftKey ? -1 : 1);
  else if (key === '?') change({ dialog: 'help' });
  else return;
  e.preventDefault();
}

function released(e: KeyboardEvent): void {
  const key = e.key.toLowerCase();
  if ('wasd'.includes(key)) post({ to: 'key', act: 'up', key, shift: e.shiftKey });
  if (key === 'c') compare(false);
  if (key === 'shift') post({ to: 'key', act: 'up', key: '', shift: false });
}

function left(): void {
  for (const key of 'wasd') post({ to: 'key', act: 'up', key, shift: false });
  compare(false);
}

export function useKeys(): void {
  useEffect(() => {
    addEventListener('keydown', pressed);
    addEventListener('keyup', released);
    addEventListener('blur', left);
    return () => {
      removeEventListener('keydown', pressed);
      removeEventListener('keyup', released);
      removeEventListener('blur', left);
    };
  }, []);
}
