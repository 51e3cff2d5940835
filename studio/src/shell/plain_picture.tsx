// Without WebGL2 the program draws the land, and buttons turn it.
import { useEffect, useRef, useState } from 'react';
import { ask, onStill } from '../page/session';
import { useStudio } from '../page/store';
import type { Camera, Json } from '../protocol/messages';

export function PlainPicture() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [azimuth, setAzimuth] = useState(-35);
  const [elevation, setElevation] = useState(28);
  const [far, setFar] = useState(1.7);
  const settled = useStudio((s) => s.settled);
  const about = useStudio((s) => s.land);
  const sun = useStudio((s) => s.sun);
  const dialog = useStudio((s) => s.dialog);

  useEffect(() => {
    if (!about || dialog === 'still') return;
    onStill((rows) => {
      const at = canvas.current;
      if (!at) return;
      if (at.width !== rows.size[0] || at.height !== rows.size[1]) [at.width, at.height] = rows.size;
      at.getContext('2d')?.putImageData(new ImageData(rows.cells, rows.size[0], rows.rows), 0, rows.row);
    });
    const wait = setTimeout(() => {
      const a = (azimuth * Math.PI) / 180;
      const e = (elevation * Math.PI) / 180;
      const reach = Math.hypot(...about.size) * far;
      const middle: [number, number, number] = [about.origin[0] + about.size[0] / 2, about.origin[1] + about.size[1] / 2, (about.range[0] + about.range[1]) / 2];
      const camera: Camera = {
        eye: [middle[0] + Math.sin(a) * Math.cos(e) * reach, middle[1] - Math.cos(a) * Math.cos(e) * reach, middle[2] + Math.sin(e) * reach],
        target: middle, up: [0, 0, 1], field_of_view: 35,
      };
      void ask({ do: 'still', camera: { ...camera } as { [key: string]: Json }, size: [960, 540], samples: 4, base: 'block', sun });
    }, 200);
    return () => clearTimeout(wait);
  }, [azimuth, elevation, far, about, settled, dialog, sun]);
  return (
    <div className="plain">
      <canvas ref={canvas} width={960} height={540} role="img" aria-label="The land, drawn by the program" />
      <p>
        This browser has no WebGL2, so the program draws the land.
        <button type="button" onClick={() => setAzimuth(azimuth - 30)}>Turn left</button>
        <button type="button" onClick={() => setAzimuth(azimuth + 30)}>Turn right</button>
        <button type="button" onClick={() => setElevation(Math.min(elevation + 15, 85))}>Higher</button>
        <button type="button" onClick={() => setElevation(Math.max(elevation - 15, 5))}>Lower</button>
        <button type="button" onClick={() => setFar(far / 1.3)}>Closer</button>
        <button type="button" onClick={() => setFar(far * 1.3)}>Farther</button>
      </p>
    </div>
  );
}
