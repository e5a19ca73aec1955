import { crc32, deflateSync } from 'node:zlib';

type Color = readonly [red: number, green: number, blue: number];

const width = 320;
const height = 240;

/** A PNG of two cherries on an evening sky, the same at every call. */
export function cherryPicture(): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    const row = y * (1 + width * 3);
    for (let x = 0; x < width; x += 1) {
      rows.set(pixel(x + 0.5, y + 0.5).map(Math.round), row + 1 + x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const sky: Color = [255, 214, 190];
const ground: Color = [112, 84, 140];
const stem: Color = [74, 108, 52];
const leaf: Color = [96, 160, 78];
const cherry: Color = [200, 20, 52];
const shade: Color = [96, 4, 36];
const shine: Color = [255, 236, 240];

function pixel(x: number, y: number): Color {
  let color = mix(sky, ground, y / height);
  color = mix(color, stem, covers(2.5 - curveDistance(x, y, 118, 156, 176, 44)));
  color = mix(color, stem, covers(2.5 - curveDistance(x, y, 208, 168, 176, 44)));
  color = mix(color, leaf, covers((1 - leafShape(x, y)) * 20));
  color = drawCherry(color, x, y, 118, 176, 36);
  return drawCherry(color, x, y, 208, 186, 34);
}

function drawCherry(under: Color, x: number, y: number, cx: number, cy: number, r: number): Color {
  const skin = mix(cherry, shade, Math.hypot(x - cx + r / 3, y - cy + r / 3) / (1.6 * r));
  const glint = Math.hypot((x - cx + r / 2.6) / 0.7, y - cy + r / 2.4);
  const lit = mix(skin, shine, 0.85 * covers((r / 5 - glint) / 3));
  return mix(under, lit, covers(r - Math.hypot(x - cx, y - cy)));
}

/** How far a point is from a stem that bends from (x0, y0) up to (x1, y1). */
function curveDistance(
  x: number,
  y: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): number {
  if (y > y0 || y < y1) return Infinity;
  const along = (y0 - y) / (y0 - y1);
  return Math.abs(x - (x0 + (x1 - x0) * along ** 1.8));
}

function leafShape(x: number, y: number): number {
  const along = (x - 214) * 0.94 + (y - 46) * -0.34;
  const across = (x - 214) * 0.34 + (y - 46) * 0.94;
  return (along / 42) ** 2 + (across / 15) ** 2;
}

/** How much of a pixel a shape covers whose edge is `distance` away, for smooth edges. */
function covers(distance: number): number {
  return Math.min(1, Math.max(0, distance + 0.5));
}

function mix(under: Color, over: Color, amount: number): Color {
  const share = Math.min(1, Math.max(0, amount));
  return [
    under[0] + (over[0] - under[0]) * share,
    under[1] + (over[1] - under[1]) * share,
    under[2] + (over[2] - under[2]) * share,
  ];
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

const sampleRate = 16_000;
const noteSeconds = 0.28;

/** A WAV of four rising notes, the same at every call. */
export function chimeSound(): Buffer {
  const notes = [523.25, 659.25, 783.99, 1046.5];
  const samples = Math.round(sampleRate * noteSeconds * (notes.length + 1));
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples * 2, 40);
  for (let index = 0; index < samples; index += 1) {
    const level = notes.reduce((sum, note, place) => sum + tone(note, index, place), 0);
    wav.writeInt16LE(Math.round(9000 * level), 44 + index * 2);
  }
  return wav;
}

function tone(frequency: number, sample: number, place: number): number {
  const time = sample / sampleRate - place * noteSeconds;
  if (time < 0) return 0;
  const attack = Math.min(1, time / 0.01);
  return attack * Math.exp(-5 * time) * Math.sin(2 * Math.PI * frequency * time);
}
