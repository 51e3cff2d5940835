// node bench.mjs TEPUI [RECIPE]: what a hand feels, in Chromium beside the program. Prints milliseconds; asserts nothing.
import { resolve } from 'node:path';
import { launch, open } from './browser.mjs';
import { Program } from './program.mjs';

const [tepui = 'build/tepui', preset = 'mesa'] = process.argv.slice(2);
const program = new Program(resolve(tepui));

const sorted = (values) => [...values].sort((a, b) => a - b);
const row = (name, values) => {
  const s = sorted(values.filter((v) => v !== null));
  const at = (share) => (s.length ? s[Math.min(s.length - 1, Math.floor(share * s.length))].toFixed(0) : '-');
  console.log(`${name.padEnd(46)} median ${at(0.5).padStart(8)}   p95 ${at(0.95).padStart(8)}   max ${at(1).padStart(8)}`);
};

program.run('new', preset, '-o', 'bench.json');
for (const size of [257, 513]) {
  program.run('set', 'bench.json', `world.resolution=${size}`);
  await program.studio('bench.json');
  const browser = await launch();
  const page = await open(browser, program, { viewport: { width: 1280, height: 720 } });
  await page.waitForFunction(() => window.lands.length > 0, undefined, { timeout: 60000 });
  const first = await page.evaluate(() => window.lands[0].fence - performance.timeOrigin);
  console.log(`${preset} at ${size}: first land ${first.toFixed(0)} ms after navigation`);
  await page.getByText('settled in').waitFor({ timeout: 60000 });
  await page.waitForTimeout(3000);

  // Gaps of the main thread, while the hand drags.
  await page.evaluate(() => {
    window.gap = 0;
    let last = performance.now();
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const now = performance.now();
      window.gap = Math.max(window.gap, now - last);
      last = now;
      setTimeout(() => channel.port2.postMessage(0), 1);
    };
    channel.port2.postMessage(0);
  });
  const slider = page.getByRole('slider').first();
  await slider.focus();
  const bytes = [], received = [], fences = [];
  for (let step = 0; step < 30; ++step) {
    const before = await page.evaluate(() => ({ now: performance.timeOrigin + performance.now(), count: window.lands.length }));
    await page.keyboard.down(step % 2 ? 'ArrowLeft' : 'ArrowRight');
    const came = await page.waitForFunction((n) => window.lands.length > n, before.count, { timeout: 20000, polling: 4 }).then(() => true, () => false);
    if (!came) continue;
    const land = await page.evaluate((n) => window.lands[n], before.count);
    received.push(land.received - before.now);
    fences.push(land.fence - before.now);
    bytes.push(land.bytes);
  }
  await page.keyboard.up('ArrowLeft');
  row('  a step: key to last byte', received);
  row('  a step: key to fence after the frame', fences);
  row('  a step: bytes', bytes);
  row('  longest gap of the main thread', [await page.evaluate(() => window.gap)]);

  // Stop to idle, at full size.
  await page.waitForTimeout(4000);
  const stops = [];
  for (let k = 0; k < 5; ++k) {
    await page.keyboard.press('r');
    const stop = page.getByRole('button', { name: 'Stop' });
    const running = await page.waitForFunction(() => [...document.querySelectorAll('button')].some((b) => b.textContent === 'Stop' && !b.disabled), undefined, { timeout: 3000 }).catch(() => null);
    if (!running) continue;
    const begun = Date.now();
    await stop.click({ timeout: 1000 }).catch(() => {});
    await page.getByText('settled in').waitFor({ timeout: 20000 }).catch(() => {});
    stops.push(Date.now() - begun);
    await page.waitForTimeout(500);
  }
  row('  Stop to idle, with the click', stops);
  await browser.close();
  await program.end();
}
await program.close();
