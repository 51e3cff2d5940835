// Says why a wire that is being drawn cannot end where the pointer is.
import { useConnection } from '@xyflow/react';
import { useEffect } from 'react';
import type { Graph } from './fit';

export function Barred({ graph, onWhy }: { graph: Graph; onWhy(why: string | null): void }) {
  const tried = useConnection((c) => {
    if (!c.inProgress || !c.toHandle) return '';
    const [out, into] = c.fromHandle.type === 'source' ? [c.fromHandle, c.toHandle] : [c.toHandle, c.fromHandle];
    if (out.type === into.type) return `?${into.type === 'source' ? 'that is an output, too' : 'that is an input, too'}`;
    return `${out.nodeId} ${into.nodeId} ${into.id ?? ''}`;
  });
  useEffect(() => {
    if (tried === '') onWhy(null);
    else if (tried.startsWith('?')) onWhy(tried.slice(1));
    else {
      const [from = '', node = '', port = ''] = tried.split(' ');
      const why = graph.whyNot(from, node, port);
      onWhy(why === null ? null : `${port} of ${node}: ${why}`);
    }
  }, [tried, graph, onWhy]);
  return null;
}
