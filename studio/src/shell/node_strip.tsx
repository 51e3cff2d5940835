// One line a node: its picture, its time, how far it is, what is wrong with it.
import { select } from '../page/acts';
import { useStudio } from '../page/store';
import type { RecipeNode } from '../protocol/messages';
import { useNodeFacts } from './node_state';
import { rove } from './roving';
import { Thumbnail } from './thumbnail';

function Node({ node, stop }: { node: RecipeNode; stop: boolean }) {
  const picture = useStudio((s) => s.thumbnails.get(node.name));
  const selected = useStudio((s) => s.selected === node.name);
  const shown = useStudio((s) => s.recipe?.shown.node === node.name);
  const { state, time, fraction, error, warning } = useNodeFacts(node.name);
  return (
    <li>
      <button
        type="button" className={`node ${state}${selected ? ' selected' : ''}`} aria-pressed={selected} tabIndex={stop ? 0 : -1}
        title={error ?? warning ?? `${node.op}: show this node and its panel`} onClick={() => select(node.name)}
      >
        <Thumbnail picture={picture} />
        <span className="names"><b>{node.name}{shown ? <span className="eye" role="img" aria-label="shown">{'\u25c9'}</span> : null}</b><span>{error ?? node.op}</span></span>
        <span className="time">{time}</span>
        <span className="bar" style={{ width: `${fraction * 100}%` }} />
      </button>
    </li>
  );
}

export function NodeStrip() {
  const nodes = useStudio((s) => s.recipe?.nodes);
  const selected = useStudio((s) => s.selected ?? s.recipe?.nodes[0]?.name);
  return (
    <div className="nodes">
      <ol onKeyDown={rove}>{(nodes ?? []).map((node) => <Node key={node.name} node={node} stop={node.name === selected} />)}</ol>
    </div>
  );
}
