// What a click, a measure or a knife found.
import { take } from '../page/acts';
import { useStudio } from '../page/store';
import type { SectionAnswer } from '../protocol/messages';
import { metres, show } from '../panels/units';
import { Icon } from './icons';

function Close() {
  return <button type="button" className="quiet close" aria-label="Close" onClick={() => take('look')}><Icon name="close" /></button>;
}

function signed(v: number | null): string {
  if (v === null) return '';
  return `${v > 0 ? '+' : ''}${show(v, 3)}`;
}

function PointCard() {
  const point = useStudio((s) => s.point);
  const at = useStudio((s) => s.points[0]);
  if (!point || !at) return null;
  const most = Math.max(1e-9, ...point.history.map((h) => Math.abs(h.change ?? 0)));
  return (
    <aside className="finding card" aria-label="History of the point">
      <Close />
      <h2>{metres(point.height)} <i>at {show(at[0], 5)}, {show(at[1], 5)}</i></h2>
      <table className="history">
        <thead><tr><th scope="col">node</th><th scope="col">height</th><th scope="col">change</th><th scope="col"><span className="unseen">drawn</span></th></tr></thead>
        <tbody>
          {point.history.map((h) => (
            <tr key={h.node}>
              <th scope="row" title={h.op}>{h.node}</th><td>{h.height === null ? '' : show(h.height)}</td><td className={(h.change ?? 0) < 0 ? 'less' : 'more'}>{signed(h.change)}</td>
              <td><svg viewBox="-50 0 100 8" aria-hidden="true"><rect className={(h.change ?? 0) < 0 ? 'less' : 'more'} x={Math.min(0, ((h.change ?? 0) / most) * 50)} y="1" width={Math.abs(((h.change ?? 0) / most) * 50)} height="6" /></svg></td>
            </tr>
          ))}
        </tbody>
      </table>
      {Object.keys(point.layers).length > 0 ? (
        <dl>{Object.entries(point.layers).map(([name, v]) => <div key={name}><dt>{name}</dt><dd>{typeof v === 'number' ? show(v) : v ?? '-'}</dd></div>)}</dl>
      ) : null}
    </aside>
  );
}

const width = 860;
const height = 190;
const left = 46;
const bottom = 22;

/** The rock of each column, and over it the ground and the water. */
function Plot({ section, relief }: { section: SectionAnswer; relief: number }) {
  const { distance, columns, rocks, water, solid } = section;
  const far = distance.at(-1) || 1;
  const lows = columns.flatMap((column) => column.map((bed) => bed[1]));
  const top = Math.max(...section.height, ...water.filter((w) => w !== null));
  const lowest = Math.min(...section.height);
  // As deep as the rock is known, but not so deep that the ground becomes a line.
  const low = solid ? Math.min(lowest, ...lows) : Math.max(Math.min(lowest, ...lows), lowest - Math.max(0.8 * (top - lowest), 0.6 * relief));
  const pad = (top - low) * 0.06 || 1;
  const x = (d: number) => left + (d / far) * (width - left - 8);
  const y = (h: number) => height - bottom - ((h - low) / (top - low + pad)) * (height - bottom - 8);
  const wide = (width - left - 8) / Math.max(distance.length - 1, 1) + 0.6;
  const outline = distance.map((d, k) => `${x(d).toFixed(1)},${y(section.height[k] ?? low).toFixed(1)}`).join(' ');
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Cross-section of ${metres(far)}, heights from ${metres(Math.min(...section.height))} to ${metres(top)}`}>
      {solid ? null : <polygon className="unknown" points={`${x(0)},${y(low)} ${outline} ${x(far)},${y(low)}`} />}
      {columns.map((column, k) => column.map(([t, b, rock], n) => (
        <rect key={`${k} ${n}`} x={x(distance[k] ?? 0)} width={wide} y={y(Math.max(t, low))} height={Math.max(0, y(Math.max(b, low)) - y(Math.max(t, low)))} fill={rocks[rock]?.colour ?? '#777777'} />
      )))}
      {water.map((w, k) => {
        const ground = section.height[k] ?? 0;
        return w !== null && w > ground ? <rect key={k} className="water" x={x(distance[k] ?? 0)} width={wide} y={y(w)} height={y(ground) - y(w)} /> : null;
      })}
      {solid ? null : <polyline className="ground" points={outline} />}
      {ticks.map((t) => <g key={t} className="tick"><text x={x(far * t)} y={height - 6} textAnchor={t === 0 ? 'start' : t === 1 ? 'end' : 'middle'}>{metres(far * t)}</text></g>)}
      {[0, 0.5, 1].map((t) => <g key={t} className="tick"><line x1={left} x2={width - 8} y1={y(low + (top - low) * t)} y2={y(low + (top - low) * t)} /><text x={left - 5} y={y(low + (top - low) * t) + 4} textAnchor="end">{show(low + (top - low) * t, 3)}</text></g>)}
    </svg>
  );
}

function SectionCard() {
  const section = useStudio((s) => s.section);
  const relief = useStudio((s) => (s.land ? s.land.range[1] - s.land.range[0] : 0));
  if (!section || section.distance.length < 2) return null;
  return (
    <aside className="section card" aria-label="Cross-section">
      <Close />
      <Plot section={section} relief={relief} />
      {section.rocks.length > 0 ? (
        <ul className="rocks">{section.rocks.map((rock) => <li key={rock.name}><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill={rock.colour} /></svg>{rock.name}</li>)}</ul>
      ) : null}
    </aside>
  );
}

function MeasureCard() {
  const points = useStudio((s) => s.points);
  const [a, b] = points;
  if (!a || !b) return null;
  const flat = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const rise = b[2] - a[2];
  const bearing = ((Math.atan2(b[0] - a[0], b[1] - a[1]) * 180) / Math.PI + 360) % 360;
  return (
    <aside className="finding card" aria-label="Measure">
      <Close />
      <h2>{metres(flat)} <i>on the level</i></h2>
      <dl>
        <div><dt>height</dt><dd>{signed(rise)} m</dd></div>
        <div><dt>straight</dt><dd>{metres(Math.hypot(flat, rise))}</dd></div>
        <div><dt>slope</dt><dd>{show((Math.atan2(rise, flat) * 180) / Math.PI, 3)}{'\u00b0'}</dd></div>
        <div><dt>bearing</dt><dd>{show(bearing, 4)}{'\u00b0'}</dd></div>
      </dl>
    </aside>
  );
}

export function Findings() {
  const tool = useStudio((s) => s.tool);
  const points = useStudio((s) => s.points);
  if (tool === 'brush') return null;
  if (tool !== 'look' && points.length < 2)
    return <p className="advice">{tool === 'knife' ? 'Knife' : 'Measure'}: click {points.length === 0 ? 'where it begins' : 'where it ends'}. By keyboard, turn and press Enter for the middle of the view.</p>;
  return tool === 'look' ? <PointCard /> : tool === 'knife' ? <SectionCard /> : <MeasureCard />;
}
