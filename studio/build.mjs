// node build.mjs FOLDER: the page's files, gzipped, and table.txt, which says what they are (PROTOCOL.md).
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, 'dist');

const common = {
  absWorkingDir: here,
  bundle: true,
  write: false,
  minify: true,
  target: 'es2022',
  jsx: 'automatic',
  charset: 'utf8',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  metafile: true,
};

/** The packages of which something is in the page. */
const packages = new Set();

function note({ inputs }) {
  for (const path of Object.keys(inputs)) {
    const name = /.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    if (name) packages.add(name);
  }
}

async function bundled(entry) {
  const { outputFiles, metafile } = await build({ ...common, entryPoints: [entry], format: 'iife' });
  note(metafile);
  return Buffer.from(outputFiles[0].contents);
}

/** The page, with what it loads only when that is opened in files of its own. */
async function page() {
  const { outputFiles, metafile } = await build({
    ...common, entryPoints: { page: 'src/page/main.tsx' }, format: 'esm', splitting: true, outdir: '/', chunkNames: '[name]',
  });
  note(metafile);
  return outputFiles
    .map(({ path, contents }) => [path.replace(/^.*\//, '/'), 'text/javascript; charset=utf-8', Buffer.from(contents)])
    .sort(([a], [b]) => (a === '/page.js' ? -1 : b === '/page.js' ? 1 : a < b ? -1 : 1));
}

/** The licences of the packages that the bundle contains. */
function licences() {
  const text = ['The page of tepui studio contains these packages.'];
  for (const name of [...packages].sort()) {
    const at = join(here, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
    const file = readdirSync(at).find((entry) => /^licen[cs]e/i.test(entry));
    text.push(`${name} ${version}, ${license}\n\n${readFileSync(join(at, file), 'utf8').trim()}`);
  }
  return Buffer.from(text.join('\n\n\n') + '\n');
}

const files = [
  ...(await page()),
  ['/worker.js', 'text/javascript; charset=utf-8', await bundled('src/worker/worker.ts')],
  ['/page.css', 'text/css; charset=utf-8', await bundled('src/shell/page.css')],
  ['/graph.css', 'text/css; charset=utf-8', await bundled('src/graph/graph.css')],
  ['/icon.svg', 'image/svg+xml', readFileSync(join(here, 'src/shell/icon.svg'))],
  ['/licences.txt', 'text/plain; charset=utf-8', licences()],
];
const html = readFileSync(join(here, 'src/page/index.html'), 'utf8');
const digest = createHash('sha256').update(html);
for (const [path, , bytes] of files) digest.update(`\n${path} ${bytes.length}\n`).update(bytes);
const hash = digest.digest('hex').slice(0, 32);
files.unshift(['/', 'text/html; charset=utf-8', Buffer.from(html.replace('PAGE_HASH', hash))]);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const table = [`page ${hash}`];
for (const [path, type, bytes] of files) {
  const name = `${path === '/' ? 'index.html' : path.slice(1)}.gz`;
  writeFileSync(join(folder, name), gzipSync(bytes, { level: 9 }));
  table.push(`${path} ${name} ${type}`);
}
writeFileSync(join(folder, 'table.txt'), table.join('\n') + '\n');
