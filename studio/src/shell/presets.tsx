import { useEffect, useRef } from 'react';
import { order } from '../page/session';
import { rove } from './roving';
import { useStudio } from '../page/store';

export function PresetStrip() {
  const presets = useStudio((s) => s.welcome?.presets);
  const name = useStudio((s) => s.recipe?.name);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    void list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [name, presets]);
  const at = presets?.some((preset) => preset.name === name) ? name : presets?.[0]?.name;
  return (
    <nav className="presets" aria-label="Presets">
      <ul ref={list} onKeyDown={rove}>
        {(presets ?? []).map((preset) => {
          const title = preset.title.split(':')[0] ?? preset.name;
          return (
            <li key={preset.name}>
              <button type="button" aria-current={preset.name === name} tabIndex={preset.name === at ? 0 : -1} title={preset.title} onClick={() => void order({ do: 'open', preset: preset.name })}>
                {preset.thumbnail ? <img src={preset.thumbnail} alt="" loading="lazy" draggable={false} /> : <span className="blank" />}
                <span className="title">{title}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
