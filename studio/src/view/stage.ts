// Draws when something has changed: at half the pixels while things move and drawing is slow, and once the hand rests
// again and again with small shifts, whose mean has smooth edges.
import { CustomBlending, HalfFloatType, LinearFilter, Mesh, NoBlending, OneMinusSrcAlphaFactor, OrthographicCamera, Scene, SrcAlphaFactor, WebGLRenderer, WebGLRenderTarget, Matrix3, Vector2 } from 'three';
import type { PerspectiveCamera } from 'three';
import { cover } from './grid';
import { copyFragment, copyVertex, skyFragment, skyVertex } from './shaders';
import { material, shared } from './shared';

const shifts: [number, number][] = [
  [0.125, -0.375], [-0.125, 0.375], [0.375, 0.125], [-0.375, -0.125], [-0.25, 0.1875], [0.1875, 0.3125], [0.3125, -0.25], [-0.3125, -0.3125],
];

export interface Scenery {
  /** Settles the camera and what is seen before a frame; answers whether it goes on moving by itself. */
  prepare(seconds: number): boolean;
  /** After a frame whose commands have been carried out. */
  shown(now: number): void;
}

/** Whether drawing is done by the processor; null without WebGL2. */
export function probe(): { software: boolean } | null {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!gl) return null;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return { software: /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) };
}

export class Stage {
  readonly scene = new Scene();
  private readonly renderer: WebGLRenderer;
  private readonly sky: Mesh;
  private readonly turned = { value: new Matrix3() };
  private readonly spread = { value: new Vector2(1, 1) };
  private readonly floor = { ground: { value: 0 }, sides: { value: new Vector2(0, 0) }, rise: { value: 0 } };
  private readonly flat = new OrthographicCamera();
  private readonly copy = new Mesh(cover(), material(copyVertex, copyFragment, { picture: { value: null }, share: { value: 1 } }));
  private frame: WebGLRenderTarget | null = null;
  private sum: WebGLRenderTarget | null = null;
  private summed = 0;
  private width = 2;
  private height = 2;
  private ratio = 1;
  private drawn = 1;
  private wanted = true;
  private busy = false;
  private restAt = 0;
  private last = 0;
  private cost = 30;
  /** Until then the hand may want to draw: no smooth frames, which take long without a graphics processor. */
  private quietUntil = 0;
  hidden = false;
  /** The hand holds something: quick frames alone, since a frame that is read back keeps the worker from its socket. */
  held = false;
  lost = false;

  constructor(
    canvas: OffscreenCanvas,
    private readonly camera: PerspectiveCamera,
    private readonly scenery: Scenery,
    readonly software: boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: !software, powerPreference: 'high-performance' });
    this.renderer.autoClear = true;
    const paint = material(skyVertex, skyFragment, { turned: this.turned, spread: this.spread, ...this.floor });
    paint.depthTest = paint.depthWrite = false;
    this.sky = new Mesh(cover(), paint);
    this.sky.frustumCulled = false;
    this.sky.renderOrder = -1;
    this.scene.add(this.sky);
    this.copy.frustumCulled = false;
    const blend = this.copy.material;
    blend.depthTest = blend.depthWrite = false;
  }

  resize(width: number, height: number, ratio: number): void {
    this.width = Math.max(2, width);
    this.height = Math.max(2, height);
    this.ratio = Math.min(ratio, this.software ? 1 : 2);
    this.camera.aspect = this.width / this.height;
    this.frame?.dispose();
    this.sum?.dispose();
    this.frame = this.sum = null;
    this.drawn = 0;
    this.touch();
  }

  /** What the land stands on: the floor's height, the land's sides, and how far it rises over the floor. */
  setFloor(height: number, size: [number, number], rise: number): void {
    this.floor.ground.value = height;
    this.floor.sides.value.set(size[0] / 2, size[1] / 2);
    this.floor.rise.value = rise;
  }

  get pixels(): number {
    return this.height * this.ratio;
  }
  get moving(): boolean {
    return performance.now() < this.restAt;
  }

  /** Something has changed. */
  touch(moving = false): void {
    this.wanted = true;
    this.summed = 0;
    if (moving) this.restAt = performance.now() + 160;
    this.next();
  }

  /** The hand is busy over the picture, and will be for a moment. */
  quiet(milliseconds: number): void {
    this.quietUntil = performance.now() + milliseconds;
  }

  private next(): void {
    if (this.busy || this.hidden || this.lost) return;
    this.busy = true;
    // After the graphics process has died, some browsers forget who asked for a frame.
    let begun = false;
    const begin = () => {
      if (begun) return;
      begun = true;
      clearTimeout(late);
      this.draw(performance.now());
    };
    const late = setTimeout(begin, 500);
    requestAnimationFrame(begin);
  }

  private draw(now: number): void {
    if (this.lost) {
      this.busy = false;
      return;
    }
    const seconds = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    const goesOn = this.scenery.prepare(seconds);
    if (goesOn) this.restAt = performance.now() + 160;
    if (this.wanted || goesOn) {
      this.wanted = false;
      this.summed = 0;
      this.plain((this.moving || this.held) && this.cost > 45 ? 0.5 : 1);
    } else if (this.drawn !== this.ratio) this.plain(1);
    else if (this.summed < shifts.length) this.smooth();
    this.fence(goesOn);
  }

  private plain(share: number): void {
    const ratio = this.ratio * share;
    if (this.drawn !== ratio) {
      this.drawn = ratio;
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(this.width, this.height, false);
    }
    this.ready();
    this.renderer.setRenderTarget(null);
    this.renderer.render(this.scene, this.camera);
  }

  private ready(): void {
    shared.eye.value.copy(this.camera.position);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    this.turned.value.setFromMatrix4(this.camera.matrixWorld);
    this.spread.value.set(half * this.camera.aspect, half);
  }

  private smooth(): void {
    const width = Math.round(this.width * this.ratio);
    const height = Math.round(this.height * this.ratio);
    this.frame ??= new WebGLRenderTarget(width, height, { minFilter: LinearFilter });
    this.sum ??= new WebGLRenderTarget(width, height, { depthBuffer: false, type: HalfFloatType });
    const [dx, dy] = shifts[this.summed] ?? [0, 0];
    this.camera.setViewOffset(width, height, dx, dy, width, height);
    this.ready();
    this.renderer.setRenderTarget(this.frame);
    this.renderer.render(this.scene, this.camera);
    this.camera.clearViewOffset();
    this.blit(this.frame, this.sum, 1 / (this.summed + 1));
    ++this.summed;
    this.blit(this.sum, null, 1);
  }

  private blit(from: WebGLRenderTarget, to: WebGLRenderTarget | null, share: number): void {
    const paint = this.copy.material;
    paint.uniforms['picture']!.value = from.texture;
    paint.uniforms['share']!.value = share;
    paint.transparent = share < 1;
    paint.blending = share < 1 ? CustomBlending : NoBlending;
    paint.blendSrc = SrcAlphaFactor;
    paint.blendDst = OneMinusSrcAlphaFactor;
    this.renderer.autoClear = false;
    this.renderer.setRenderTarget(to);
    this.renderer.render(this.copy, this.flat);
    this.renderer.autoClear = true;
  }

  /** The next frame is begun when this one is done, so that none waits behind others. */
  private fence(goesOn: boolean): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const began = performance.now();
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const poll = () => {
      const state = sync && !this.lost ? gl.clientWaitSync(sync, 0, 0) : gl.ALREADY_SIGNALED;
      if (state === gl.TIMEOUT_EXPIRED) return void setTimeout(poll, 2);
      if (sync) gl.deleteSync(sync);
      const now = performance.now();
      if (this.drawn === this.ratio) this.cost = now - began;
      this.scenery.shown(now);
      this.busy = false;
      if (this.wanted || goesOn) this.next();
      else if (this.held) return;
      else if (this.moving || now < this.quietUntil) setTimeout(() => this.next(), Math.max(this.restAt, this.quietUntil) - now + 1);
      else if (this.drawn !== this.ratio || this.summed < shifts.length) this.next();
    };
    poll();
  }
}
