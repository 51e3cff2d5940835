import { useEffect, useRef } from 'react';

/** A picture that the program drew. */
export function Thumbnail({ picture }: { picture: ImageBitmap | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const at = canvas.current;
    if (!at || !picture) return;
    at.width = picture.width;
    at.height = picture.height;
    at.getContext('2d')?.drawImage(picture, 0, 0);
  }, [picture]);
  return <canvas ref={canvas} className="thumbnail" width={36} height={36} aria-hidden="true" />;
}
