// The program itself, in a folder of its own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Program {
  folder = mkdtempSync(join(tmpdir(), 'tepui-studio-'));

  constructor(path) {
    this.path = path;
  }

  run(...args) {
    const { status, stderr } = spawnSync(this.path, args, { cwd: this.folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  /** Begins the studio and waits for the address that it prints. */
  async studio(recipe) {
    this.child = spawn(this.path, ['studio', recipe, '--no-open', '--cache', join(this.folder, 'cache')], { cwd: this.folder });
    let text = '';
    await new Promise((resolve, reject) => {
      const hear = (data) => {
        text += data;
        const found = /http:\/\/127\.0\.0\.1:(\d+)\/#\S+/.exec(text);
        if (!found) return;
        this.address = found[0];
        this.port = Number(found[1]);
        resolve();
      };
      this.child.stdout.on('data', hear);
      this.child.stderr.on('data', hear);
      this.child.on('exit', () => reject(new Error(text)));
    });
  }

  async end() {
    if (!this.child || this.child.exitCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGINT');
    await exit;
  }

  async close() {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
