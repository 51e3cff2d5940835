// Where the sun stands, seen from above: the rim is the horizon, the middle the zenith.
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

interface Props {
  sun: [number, number];
  onChange(sun: [number, number], last: boolean): void;
}

export function SunDial({ sun, onChange }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const held = useRef(false);
  const [azimuth, elevation] = sun;
  const a = (azimuth * Math.PI) / 180;
  const r = 46 * (1 - elevation / 90);
  const at = (e: PointerEvent): [number, number] => {
    const box = svg.current?.getBoundingClientRect();
    if (!box) return sun;
    const x = ((e.clientX - box.left) / box.width) * 120 - 60;
    const y = ((e.clientY - box.top) / box.height) * 120 - 60;
    const turn = ((Math.atan2(x, -y) * 180) / Math.PI + 360) % 360;
    return [Math.round(turn), Math.round(Math.min(Math.max(90 * (1 - Math.hypot(x, y) / 46), 1), 89))];
  };
  const key = (e: KeyboardEvent) => {
    const by = e.shiftKey ? 1 : 5;
    const moves = new Map<string, [number, number]>([['ArrowLeft', [-by, 0]], ['ArrowRight', [by, 0]], ['ArrowUp', [0, by]], ['ArrowDown', [0, -by]]]);
    const move = moves.get(e.key);
    if (!move) return;
    onChange([(azimuth + move[0] + 360) % 360, Math.min(Math.max(elevation + move[1], 1), 89)], false);
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div className="dial">
      <svg
        ref={svg} viewBox="-60 -60 120 120" role="slider" tabIndex={0} aria-label="Sun" aria-valuenow={azimuth} aria-valuemin={0} aria-valuemax={360}
        aria-valuetext={`azimuth ${azimuth} degrees, elevation ${elevation} degrees`} onKeyDown={key} onKeyUp={() => onChange(sun, true)}
        onPointerDown={(e) => { held.current = true; e.currentTarget.setPointerCapture(e.pointerId); onChange(at(e), false); }}
        onPointerMove={(e) => { if (held.current) onChange(at(e), false); }}
        onPointerUp={(e) => { held.current = false; onChange(at(e), true); }}
      >
        <circle r="46" className="rim" />
        <circle r="30.700" className="ring" /><circle r="15.300" className="ring" />
        <path d="M0-50V-42M0 50V42M-50 0H-42M50 0H42" className="ring" />
        <text y="-52">N</text><text x="55" y="3.500">E</text><text y="59">S</text><text x="-55" y="3.500">W</text>
        <line x2={r * Math.sin(a)} y2={-r * Math.cos(a)} className="ray" />
        <circle cx={r * Math.sin(a)} cy={-r * Math.cos(a)} r="6" className="sun" />
      </svg>
      <dl>
        <div><dt>azimuth</dt><dd>{azimuth}{'\u00b0'}</dd></div>
        <div><dt>elevation</dt><dd>{elevation}{'\u00b0'}</dd></div>
      </dl>
    </div>
  );
}
