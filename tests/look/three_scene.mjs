// three_scene.mjs MODULES MODEL.glb OUT.png WIDTH HEIGHT: three.js in Chromium draws a GLB with a scene from its camera, in
// the light of its sun and of an even sky: what the docs show beside our own picture.
import { createServer } from 'http';
import { readFileSync, writeFileSync } from 'fs';
import { createRequire } from 'module';
import { join, resolve } from 'path';

const [, , modules, model, out, width, height] = process.argv;
const { chromium } = createRequire(join(resolve(modules), 'x.js'))('playwright-core');

const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">
{"imports": {"three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const width = ${width}, height = ${height};

async function draw() {
  const gltf = await new GLTFLoader().loadAsync('/model');
  const scene = new THREE.Scene(), camera = gltf.cameras[0];
  scene.background = new THREE.Color('#dfe3e4');
  scene.add(gltf.scene);
  gltf.scene.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(gltf.scene), span = box.getSize(new THREE.Vector3()).length();
  gltf.scene.traverse((node) => {
    if (node.isMesh) {
      node.castShadow = node.receiveShadow = true;
      // Seen from the light, front sides alone cast shadows well.
      node.material.shadowSide = THREE.FrontSide;
      for (const use of ['map', 'normalMap', 'roughnessMap']) if (node.material[use]) node.material[use].anisotropy = 16;
    }
    if (!node.isDirectionalLight) return;
    const ahead = new THREE.Vector3(0, 0, -1).transformDirection(node.matrixWorld);
    const sun = new THREE.DirectionalLight(node.color, node.intensity), middle = box.getCenter(new THREE.Vector3());
    sun.position.copy(middle).addScaledVector(ahead, -span);
    sun.target.position.copy(middle);
    sun.castShadow = true;
    sun.shadow.mapSize.set(4096, 4096);
    Object.assign(sun.shadow.camera, { left: -span / 2, right: span / 2, top: span / 2, bottom: -span / 2, near: 1, far: 2 * span });
    sun.shadow.normalBias = span / 2000;
    scene.add(sun, sun.target);
    node.intensity = 0;
    const [r, g, b] = node.userData.sky ?? [0.5, 0.6, 0.8], most = Math.max(r, g, b);
    // An even sky alone: what the ground throws back is a fifth of it.
    scene.add(new THREE.HemisphereLight(new THREE.Color(r / most, g / most, b / most), new THREE.Color(0.25, 0.2, 0.15), most));
  });
  const [left, top, right, bottom] = camera.userData.picture ?? [0, 0, 1, 1];
  // The picture is a part of what the camera sees.
  const full = [width / (right - left), height / (bottom - top)];
  camera.setViewOffset(full[0], full[1], left * full[0], top * full[1], width, height);
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.shadowMap.enabled = true;
  renderer.toneMapping = THREE.LinearToneMapping;
  renderer.toneMappingExposure = 2 ** 0.4;
  renderer.setSize(width, height);
  renderer.render(scene, camera);
  return renderer.domElement.toDataURL('image/png');
}
draw().then((answer) => (window.answer = answer), (error) => (window.answer = 'failed: ' + error));
</script>`;

const server = createServer((request, response) => {
  const send = (type, bytes) => response.setHeader('content-type', type).end(bytes);
  if (request.url === '/') return send('text/html', page);
  if (request.url === '/model') return send('model/gltf-binary', readFileSync(model));
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
    tab.on('console', (m) => m.type() === 'error' && console.log(m.text()));
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction('window.answer', null, { timeout: 180000 });
    const answer = await tab.evaluate('window.answer');
    if (!answer.startsWith('data:')) throw new Error(answer);
    writeFileSync(out, Buffer.from(answer.split(',')[1], 'base64'));
  } finally {
    await browser.close();
    server.close();
  }
});
