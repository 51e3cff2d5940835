// The socket: greeting, numbered requests, credit for binary frames, and coming back when it breaks.
import type { Greeting, Link } from '../protocol/bridge';
import type { Json, Refusal, Request, Said } from '../protocol/messages';
import { type Frame, readFrame } from '../protocol/frames';

export interface Listener {
  link(link: Link, key: string | null, wait: number): void;
  said(said: Said): void;
  frame(frame: Frame, bytes: number): void;
}

type Answer = { answer: Json; error: Refusal | null };

const creditAt = 1 << 18;

export class ProgramLink {
  private socket: WebSocket | null = null;
  private key: string | null;
  private token: string | null;
  private attempts = 0;
  private next = 1;
  private taken = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly waiting = new Map<number, (answer: Answer) => void>();

  constructor(
    private readonly greeting: Greeting,
    private readonly listener: Listener,
  ) {
    this.key = greeting.key;
    this.token = greeting.token;
    this.connect();
  }

  request(request: Request): Promise<Answer> {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN)
      return Promise.resolve({ answer: null, error: { message: 'The program cannot be reached.', hint: null } });
    const id = this.next++;
    socket.send(JSON.stringify({ ...request, id }));
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  send(frame: ArrayBuffer): void {
    this.socket?.send(frame);
  }

  /** Bytes that are still to be sent. */
  get backlog(): number {
    return this.socket?.bufferedAmount ?? 0;
  }

  again(): void {
    clearTimeout(this.timer);
    this.attempts = 0;
    this.connect();
  }

  private connect(): void {
    if (!this.token && !this.key) {
      this.listener.link('refused', null, 0);
      return;
    }
    this.listener.link('connecting', null, 0);
    const socket = new WebSocket(this.greeting.url, 'tepui-1');
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      const who = this.token ? { token: this.token } : { key: this.key };
      socket.send(JSON.stringify({ do: 'greet', ...who, page: this.greeting.page }));
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === 'string') this.text(event.data);
      else this.binary(event.data);
    };
    socket.onclose = (event) => this.closed(event.code);
  }

  private text(text: string): void {
    const message = JSON.parse(text) as { say?: string; re?: number; error?: Refusal };
    if (message.say !== undefined) {
      const said = message as Said;
      if (said.say === 'welcome') {
        this.key = said.key;
        this.token = null;
        this.attempts = 0;
        this.listener.link('open', said.key, 0);
      }
      this.listener.said(said);
    } else if (message.re !== undefined) {
      const resolve = this.waiting.get(message.re);
      this.waiting.delete(message.re);
      resolve?.({ answer: message as Json, error: message.error ?? null });
    }
  }

  private binary(buffer: ArrayBuffer): void {
    const frame = readFrame(buffer);
    if (frame) this.listener.frame(frame, buffer.byteLength);
    if (this.taken === 0) setTimeout(() => this.credit(), 20);
    this.taken += buffer.byteLength;
    if (this.taken >= creditAt) this.credit();
  }

  private credit(): void {
    if (this.taken === 0 || this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ do: 'credit', bytes: this.taken }));
    this.taken = 0;
  }

  private closed(code: number): void {
    this.socket = null;
    this.taken = 0;
    const error = { message: 'The connection to the program broke.', hint: null };
    for (const resolve of this.waiting.values()) resolve({ answer: null, error });
    this.waiting.clear();
    if (code === 4401) this.listener.link('refused', null, 0);
    else if (code === 4409) this.listener.link('older', null, 0);
    else if (code === 4429) this.listener.link('full', null, 0);
    else {
      const wait = Math.min(500 * 2 ** this.attempts++, 5000);
      this.listener.link('lost', null, wait);
      this.timer = setTimeout(() => this.connect(), wait);
    }
  }
}
