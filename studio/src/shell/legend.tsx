import { useStudio } from '../page/store';
import { show } from '../panels/units';

export function Legend() {
  const legend = useStudio((s) => s.legend);
  const overlay = useStudio((s) => s.overlay);
  const contours = useStudio((s) => s.contours);
  if (!(legend && overlay) && contours === 0) return null;
  const colours = legend?.colours ?? [];
  return (
    <aside className="legend card" aria-label="Legend">
      {legend && overlay ? (
        <>
          <h2>{legend.layer}{legend.unit ? <i> {legend.unit}</i> : null}</h2>
          {legend.classes ? (
            <ul>{legend.classes.map((c) => <li key={c.value}><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill={c.colour} /></svg>{c.name}</li>)}</ul>
          ) : (
            <div className="ramp">
              <svg viewBox={`0 0 ${colours.length} 1`} preserveAspectRatio="none" aria-hidden="true">
                {colours.map((colour, k) => <rect key={k} x={k} width="1.050" height="1" fill={colour} />)}
              </svg>
              {legend.range ? <p><span>{show(legend.range[0])}</span><span>{show((legend.range[0] + legend.range[1]) / 2)}</span><span>{show(legend.range[1])}</span></p> : null}
            </div>
          )}
        </>
      ) : null}
      {contours > 0 ? <p className="note">Contours every {show(contours)} m, strong every {show(5 * contours)} m</p> : null}
    </aside>
  );
}
