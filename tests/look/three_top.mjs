// three_top.mjs MODULES MODEL.glb COLOUR.png SAMPLES: three.js in Chromium draws the model without light, from straight
// above. Prints, for 8 x 8 parts of the land, the largest difference between the mean colours of the two pictures, from
// 0 to 255. SAMPLES is [width, height] of the land: the map reaches half a texel beyond it.
import { createServer } from 'http';
import { readFileSync } from 'fs';
import { createRequire } from 'module';
import { join, resolve } from 'path';

const [, , modules, model, colour, samples] = process.argv;
const { chromium } = createRequire(join(resolve(modules), 'x.js'))('playwright-core');

const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">
{"imports": {"three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const size = 512, parts = 8, [width, height] = ${samples};

/** Mean red, green and blue of each part. */
function means(draw) {
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const context = canvas.getContext('2d');
  draw(context);
  const { data } = context.getImageData(0, 0, size, size), side = size / parts, result = [];
  for (let part = 0; part < parts * parts; ++part) {
    const sum = [0, 0, 0];
    for (let i = 0; i < side * side; ++i) {
      const x = (part % parts) * side + (i % side), y = Math.floor(part / parts) * side + Math.floor(i / side);
      for (let k = 0; k < 3; ++k) sum[k] += data[4 * (y * size + x) + k] / (side * side);
    }
    result.push(sum);
  }
  return result;
}

async function compare() {
  const gltf = await new GLTFLoader().loadAsync('/model');
  gltf.scene.traverse((node) => {
    // Water would hide the ground.
    if (node.isMesh && node.material.name === 'water') node.visible = false;
    else if (node.isMesh)
      node.material = new THREE.MeshBasicMaterial({ map: node.material.map, vertexColors: node.material.vertexColors });
  });
  const scene = new THREE.Scene(), box = new THREE.Box3();
  gltf.scene.traverse((node) => {
    if (node.isMesh && node.visible) box.expandByObject(node);
  });
  scene.add(gltf.scene);
  const middle = box.getCenter(new THREE.Vector3()), side = box.getSize(new THREE.Vector3());
  const camera = new THREE.OrthographicCamera(-side.x / 2, side.x / 2, side.z / 2, -side.z / 2, 1, side.y + 20);
  camera.position.set(middle.x, box.max.y + 10, middle.z);
  camera.up.set(0, 0, -1);
  camera.lookAt(middle.x, box.min.y, middle.z);
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(size, size);
  renderer.render(scene, camera);
  const map = await createImageBitmap(await (await fetch('/colour')).blob());
  const theirs = means((context) => context.drawImage(renderer.domElement, 0, 0));
  const across = map.width / width, along = map.height / height;
  const ours = means((context) => context.drawImage(map, across / 2, along / 2, map.width - across, map.height - along,
                                                    0, 0, size, size));
  let most = 0, spread = 0;
  ours.forEach((sum, part) => sum.forEach((value, k) => {
    most = Math.max(most, Math.abs(value - theirs[part][k]));
    spread = Math.max(spread, Math.abs(value - ours[0][k]));
  }));
  return { difference: most, spread, triangles: renderer.info.render.triangles };
}
compare().then((answer) => (window.answer = answer), (error) => (window.answer = { error: String(error) }));
</script>`;

const server = createServer((request, response) => {
  const send = (type, bytes) => response.setHeader('content-type', type).end(bytes);
  if (request.url === '/') return send('text/html', page);
  if (request.url === '/model') return send('model/gltf-binary', readFileSync(model));
  if (request.url === '/colour') return send('image/png', readFileSync(colour));
  if (request.url.startsWith('/three/') && !request.url.includes('..'))
    return send('text/javascript', readFileSync(join(modules, request.url)));
  response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', async () => {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction('window.answer', null, { timeout: 120000 });
    console.log(JSON.stringify(await tab.evaluate('window.answer')));
  } finally {
    await browser.close();
    server.close();
  }
});
