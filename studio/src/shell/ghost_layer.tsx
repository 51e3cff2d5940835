// The brush's ring and the stroke that is being drawn, over the land.
import { useEffect, useRef } from 'react';
import { current, onGhost } from '../page/brushes';
import { turned } from '../brush/kinds';
import { useStudio } from '../page/store';

let space = false;
export const spaceHeld = (): boolean => space;

const onButton = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.closest('button, input, select, summary, a, [role=slider]') !== null;

/** Whether the space bar is held while the hand is on the land. */
function useSpace(): void {
  useEffect(() => {
    const set = (e: KeyboardEvent) => {
      if (e.key !== ' ' || onButton(e.target)) return;
      space = e.type === 'keydown';
      if (space) e.preventDefault();
    };
    const left = () => (space = false);
    addEventListener('keydown', set);
    addEventListener('keyup', set);
    addEventListener('blur', left);
    return () => {
      removeEventListener('keydown', set);
      removeEventListener('keyup', set);
      removeEventListener('blur', left);
    };
  }, []);
}

export function GhostLayer() {
  useSpace();
  const ring = useRef<SVGPathElement>(null);
  const core = useRef<SVGPathElement>(null);
  const band = useRef<SVGPathElement>(null);
  const line = useRef<SVGPathElement>(null);
  const tint = useStudio((s) => {
    const brush = current(s);
    return brush ? turned(brush.kind, s.brush.shift, s.brush.ctrl).tint : 'even';
  });
  useEffect(() => {
    onGhost((ghost) => {
      for (const [part, d] of [[ring, ghost.ring], [core, ghost.core], [band, ghost.band], [line, ghost.line]] as const) part.current?.setAttribute('d', d);
    });
    return () => onGhost(null);
  }, []);
  return (
    <svg className={`ghost ${tint}`} aria-hidden="true">
      <path ref={band} className="band" /><path ref={line} className="drawn" /><path ref={core} className="core" /><path ref={ring} className="ring" />
    </svg>
  );
}
