// A layer in colours over the land.
import { order, post } from './session';
import { change } from './store';

export async function overlay(layer: string | null, colourMap: string | null): Promise<void> {
  change({ overlay: layer, colourMap, ...(layer === null ? { legend: null } : {}) });
  post({ to: 'draw', options: { overlay: layer !== null } });
  await order({ do: 'overlay', layer, colour_map: colourMap });
}
