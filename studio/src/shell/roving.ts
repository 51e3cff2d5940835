// One stop of the Tab key for a row of buttons; arrows move within it.
import type { KeyboardEvent } from 'react';

export function rove(e: KeyboardEvent<HTMLElement>): void {
  const moves = new Map([['ArrowRight', 1], ['ArrowDown', 1], ['ArrowLeft', -1], ['ArrowUp', -1]]);
  const by = moves.get(e.key);
  if (by === undefined) return;
  const buttons = [...e.currentTarget.querySelectorAll('button')];
  const next = buttons[buttons.findIndex((button) => button === document.activeElement) + by];
  if (!next) return;
  next.focus();
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  e.preventDefault();
  e.stopPropagation();
}
