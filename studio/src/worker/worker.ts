// The worker: the socket and the view, so that neither waits for the page nor the page for them.
import type { FromWorker, ToWorker } from '../protocol/bridge';
import type { Json, Request, Said, SectionAnswer } from '../protocol/messages';
import { type Frame, Kind, type MeshHead, type StillHead, type TileHead } from '../protocol/frames';
import { probe } from '../view/stage';
import { ProgramLink } from './link';
import { sendFile } from './upload';
import { Viewport } from './viewport';

const scope = self as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};
const post = (message: FromWorker, transfer: Transferable[] = []): void => scope.postMessage(message, transfer);

let viewport: Viewport | null = null;
let link: ProgramLink | null = null;

function said(message: Said): void {
  switch (message.say) {
    case 'recipe':
      viewport?.recipe(message.name);
      break;
    case 'land':
      viewport?.expectLand(message);
      break;
    case 'mesh':
      viewport?.expectMesh(message);
      break;
    case 'gone':
      viewport?.gone();
      break;
    case 'settled':
      viewport?.settled();
      void cutSides();
      break;
    default:
  }
  post({ from: 'said', said: message });
}

let cutting = 0;

/** The rock in the sides of the block, once the hand rests: sections along them. */
async function cutSides(): Promise<void> {
  const mine = ++cutting;
  const lines = viewport?.sides() ?? [];
  const sections: SectionAnswer[] = [];
  for (const line of lines) {
    const { answer, error } = (await link?.request({ do: 'section', line, samples: 160 })) ?? { answer: null, error: null };
    const section = answer as unknown as SectionAnswer | null;
    if (mine !== cutting) return;
    if (error || !section?.rocks?.length) return viewport?.paintSides([]);
    sections.push(section);
  }
  if (sections.length === 4) viewport?.paintSides(sections);
}

async function picture(node: string, cells: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    const bitmap = await createImageBitmap(new Blob([cells], { type: 'image/png' }));
    post({ from: 'thumbnail', node, picture: bitmap }, [bitmap]);
  } catch {
    // A picture that cannot be read is not shown.
  }
}

function frame({ kind, head, cells }: Frame, bytes: number): void {
  switch (kind) {
    case Kind.height:
    case Kind.ground:
    case Kind.light:
    case Kind.water:
    case Kind.overlay:
      viewport?.tile(kind, head as TileHead, cells, bytes);
      break;
    case Kind.mesh:
      viewport?.mesh(head as MeshHead, cells, bytes);
      break;
    case Kind.picture:
      void picture((head as TileHead).node, cells);
      break;
    case Kind.still: {
      const { size, pass, passes, row, rows } = head as StillHead;
      const copy = new Uint8ClampedArray(cells);
      post({ from: 'still', size, pass, passes, row, rows, cells: copy }, [copy.buffer]);
      break;
    }
    default:
  }
}

async function request(ticket: number, asked: Request): Promise<void> {
  if (!link) return;
  const { answer, error } = await link.request(asked);
  post({ from: 'answer', ticket, answer, error: error && { message: String(error.message), hint: error.hint ?? null } });
}

scope.onmessage = ({ data }) => {
  switch (data.to) {
    case 'start': {
      const able = data.canvas && probe();
      post({ from: 'drawing', state: able ? 'drawing' : 'none', software: able?.software ?? true });
      if (able && data.canvas) viewport = new Viewport(data.canvas, able.software, data.size, data.ratio, data.turn, post);
      link = new ProgramLink(data.greet, {
        link: (state, key, wait) => post({ from: 'link', link: state, key, wait }),
        said,
        frame,
      });
      break;
    }
    case 'request':
      void request(data.ticket, data.request);
      break;
    case 'file':
      if (link)
        void sendFile(link, data.name, data.file).then(
          (file: Json) => post({ from: 'answer', ticket: data.ticket, answer: file, error: null }),
          (reason: unknown) =>
            post({ from: 'answer', ticket: data.ticket, answer: null, error: { message: reason instanceof Error ? reason.message : String(reason), hint: null } }),
        );
      break;
    case 'again':
      link?.again();
      break;
    default:
      viewport?.take(data);
  }
};
