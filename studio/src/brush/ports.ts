// What lines drawn for a port can be.
import type { Fields } from '../protocol/messages';
import type { LineTarget } from './brushing';

export interface Meaning {
  name: string;
  label: string;
  doc: string;
  form: LineTarget['form'];
  /** What each line says of itself. */
  properties?: Fields;
  /** A number that each line needs. */
  number?: { name: string; label: string; unit: string; usual: number };
}

const discharge = { name: 'discharge', label: 'discharge', unit: 'm3/s', usual: 1 };

/** Guides say what they are; the first is the usual one. */
const guides: Meaning[] = [
  { name: 'river', label: 'a river', doc: 'Water runs along it; where it ends at the border, it leaves the land', form: 'line', properties: { guide: 'river' } },
  { name: 'ridge', label: 'a ridge', doc: 'No water crosses it', form: 'line', properties: { guide: 'ridge' } },
  { name: 'height', label: 'heights', doc: 'The land keeps the heights that it has along the line', form: 'line', properties: { guide: 'height' } },
  { name: 'outlet', label: 'outlets', doc: 'Water leaves the land there', form: 'points', properties: { guide: 'outlet' } },
  { name: 'inflow', label: 'rivers that enter', doc: 'A river enters there', form: 'points', properties: { guide: 'inflow' }, number: discharge },
];

const areas = new Set(['region', 'outline']);
const points = new Set(['places', 'sinks', 'springs', 'points']);

/** None: lines of the port are plain, and can have any form. */
export function meanings(port: string): Meaning[] {
  if (port === 'guides') return guides;
  return port === 'inflow' ? [{ name: 'inflow', label: 'rivers that enter', doc: 'A river enters there', form: 'points', number: discharge }] : [];
}

/** What is drawn for a port at first. */
export function firstTarget(node: string, port: string): LineTarget {
  const [usual] = meanings(port);
  if (usual) return targetOf(node, port, usual);
  return { node, port, form: areas.has(port) ? 'area' : points.has(port) ? 'points' : 'line' };
}

export function targetOf(node: string, port: string, meaning: Meaning): LineTarget {
  return { node, port, form: meaning.form, meaning: meaning.name, ...(meaning.number ? { number: meaning.number.usual } : {}) };
}

/** The properties that a line for this target has. */
export function propertiesOf(target: LineTarget): Fields {
  const meaning = meanings(target.port).find(({ name }) => name === target.meaning);
  return { ...meaning?.properties, ...(meaning?.number ? { [meaning.number.name]: target.number ?? meaning.number.usual } : {}) };
}
