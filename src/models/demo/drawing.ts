import { crc32, deflateSync } from 'node:zlib';

const side = 192;

/** A PNG of a cherry tree, the same every time: five colours, drawn by a rule for each pixel. */
export function drawTree(): Buffer {
  const rows = Buffer.alloc(side * (side + 1));
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) rows[y * (side + 1) + x + 1] = colourAt(x, y);
  const palette = Buffer.from('cfe8f59dc1837a55363f7d45c81434', 'hex');
  const chunks: [string, Buffer][] = [
    ['IHDR', Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 3, 0, 0, 0])],
    ['PLTE', palette],
    ['IDAT', deflateSync(rows)],
    ['IEND', Buffer.alloc(0)],
  ];
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, ...chunks.map(toChunk)]);
}

/** Sky, grass, trunk, leaves or a cherry. */
function colourAt(x: number, y: number): number {
  const crown = Math.hypot(x - 96, y - 76) + 6 * Math.sin(Math.atan2(y - 76, x - 96) * 9);
  const isCherry = Math.hypot((x % 24) - 12, ((y + (x % 48 > 24 ? 12 : 0)) % 24) - 12) < 4.5;
  if (crown < 58) return isCherry && crown < 50 ? 4 : 3;
  if (y > 120 && y < 168 && Math.abs(x - 96) < 7 + (y - 120) / 8) return 2;
  return y > 156 ? 1 : 0;
}

function toChunk([type, data]: [string, Buffer]): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
