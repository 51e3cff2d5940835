// A picture through the path tracer from where the camera is, better with every pass.
import { useEffect, useRef, useState } from 'react';
import type { Json } from '../protocol/messages';
import { ask, camera, onStill } from '../page/session';
import { now, tell } from '../page/store';
import { Dialog } from './dialog';

const sizes: [number, number][] = [[960, 540], [1280, 720], [1920, 1080], [3840, 2160]];

export function StillDialog({ onClose }: { onClose(): void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState(1);
  const [samples, setSamples] = useState(32);
  const [state, setState] = useState<'ready' | 'working' | 'done'>('ready');
  const [pass, setPass] = useState<[number, number] | null>(null);

  useEffect(() => {
    onStill((rows) => {
      const at = canvas.current;
      if (!at) return;
      if (at.width !== rows.size[0] || at.height !== rows.size[1]) [at.width, at.height] = rows.size;
      if (rows.cells.length === rows.size[0] * rows.rows * 4)
        at.getContext('2d')?.putImageData(new ImageData(rows.cells, rows.size[0], rows.rows), 0, rows.row);
      setPass([rows.pass, rows.passes]);
    });
    return () => {
      onStill(null);
      void ask({ do: 'still_stop' });
    };
  }, []);
  const begin = async () => {
    setState('working');
    setPass(null);
    const seen = await camera();
    const described = { ...seen } as { [key: string]: Json };
    // From the air the land is a block, as here; on foot it goes on into the distance.
    const around = now().walking ? {} : { base: 'block' };
    const { error } = await ask({ do: 'still', camera: described, size: sizes[size] ?? [1280, 720], samples, sun: now().sun, ...around });
    if (error) tell(error.message, error.hint ?? null);
    setState(error ? 'ready' : 'done');
  };
  const save = () => {
    canvas.current?.toBlob((blob) => {
      if (!blob) return;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = 'still.png';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  };
  return (
    <Dialog title="Still" wide onClose={onClose}>
      <div className="still">
        <canvas ref={canvas} width={1280} height={720} role="img" aria-label="The still" />
        <p className="actions">
          <label>Size <select value={size} onChange={(e) => setSize(Number(e.target.value))}>{sizes.map((s, k) => <option key={k} value={k}>{s[0]} {'\u00d7'} {s[1]}</option>)}</select></label>
          <label>Samples <select value={samples} onChange={(e) => setSamples(Number(e.target.value))}>{[8, 32, 128, 512].map((n) => <option key={n}>{n}</option>)}</select></label>
          <button type="button" className="main" onClick={() => void begin()}>{state === 'ready' ? 'Draw' : 'Draw again'}</button>
          <button type="button" onClick={() => void ask({ do: 'still_stop' })}>Stop</button>
          <button type="button" disabled={!pass} onClick={save}>Save as PNG</button>
          <span role="status">{pass ? `pass ${pass[0]} of ${pass[1]}` : state === 'working' ? 'begins' : ''}</span>
        </p>
      </div>
    </Dialog>
  );
}
