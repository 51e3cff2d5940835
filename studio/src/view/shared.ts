// Uniforms that everything drawn has in common, and how materials are made.
import { Color, DataTexture, GLSL3, NearestFilter, RawShaderMaterial, Vector3, type IUniform } from 'three';

export type Uniforms = { [name: string]: IUniform };

export const shared = {
  sun: { value: new Vector3(0.5, -0.4, 0.6).normalize() },
  haze: { value: 0.00003 },
  space: { value: 0 },
  grey: { value: 0 },
  eye: { value: new Vector3() },
};

export function material(vertex: string, fragment: string, uniforms: Uniforms): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms: { ...shared, ...uniforms },
  });
}

export function setSun(azimuth: number, elevation: number): void {
  const a = (azimuth * Math.PI) / 180;
  const e = (elevation * Math.PI) / 180;
  shared.sun.value.set(Math.sin(a) * Math.cos(e), Math.cos(a) * Math.cos(e), Math.sin(e));
}

const bare = new Color(0x9a8f84);
/** What stands for a texture that has not come. */
export const bareGround = new DataTexture(new Uint8Array([bare.r * 255, bare.g * 255, bare.b * 255, 255]), 1, 1);
bareGround.minFilter = bareGround.magFilter = NearestFilter;
bareGround.needsUpdate = true;
