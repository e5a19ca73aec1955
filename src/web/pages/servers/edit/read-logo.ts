import { logoOf } from '../../../features/tools/call/server-logo.ts';

/** As long as the logo of a server may be. */
const maxChars = 65_536;
/** The height that a picture which was too large is given. */
const edgePx = 96;

/** An image as a data URL, made smaller if it is too large. Rejects where it cannot be shown. */
export async function readLogo(file: File): Promise<string> {
  const url = await dataUrl(file);
  if (url.length <= maxChars && logoOf({ logo: url }) !== undefined) return url;
  // Unlike a bitmap, an element takes drawings (SVG) too.
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = edgePx / image.naturalHeight;
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(Math.ceil(image.naturalWidth * scale), 4 * edgePx);
  canvas.height = edgePx;
  const context = canvas.getContext('2d');
  if (context) context.imageSmoothingQuality = 'high';
  context?.drawImage(image, 0, 0, image.naturalWidth * scale, edgePx);
  const small = canvas.toDataURL('image/png');
  if (small.length > maxChars) throw new Error('The image is too large.');
  return small;
}

function dataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => reject(reader.error ?? new Error('not read')));
  reader.readAsDataURL(file);
  return promise;
}
