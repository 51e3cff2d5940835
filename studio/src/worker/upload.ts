// A dropped file goes to the program in pieces.
import type { Json } from '../protocol/messages';
import { Kind, writeFrame } from '../protocol/frames';
import type { ProgramLink } from './link';

const piece = 1 << 19;

export async function sendFile(link: ProgramLink, name: string, file: Blob): Promise<Json> {
  const { answer, error } = await link.request({ do: 'receive', name, bytes: file.size });
  if (error) throw new Error(error.hint ? `${error.message} ${error.hint}` : error.message);
  const number = (answer as { file: number }).file;
  for (let offset = 0; offset < file.size; offset += piece) {
    const bytes = new Uint8Array(await file.slice(offset, offset + piece).arrayBuffer());
    link.send(writeFrame(Kind.bytes, { generation: 0, file: number, offset }, bytes));
    while (link.backlog > 4 * piece) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { file: number };
}
