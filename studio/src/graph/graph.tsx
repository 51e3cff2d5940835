// The nodes as a graph, and as a list: loaded when they are first opened.
import { ReactFlowProvider } from '@xyflow/react';
import { Canvas } from './canvas';

export { NodeList } from './list';

export function Graph() {
  return <ReactFlowProvider><Canvas /></ReactFlowProvider>;
}
