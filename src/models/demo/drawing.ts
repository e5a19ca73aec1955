import { crc32, deflateSync } from 'node:zlib';

const side = 192;
const colours = [0xcfe8f5, 0x9dc183, 0x7a5536, 0x3f7d45, 0xc81434];

/** A PNG of a cherry tree, the same every time: five colours, drawn by a rule for each pixel. */
export function drawTree(): Buffer {
  const rows = Buffer.alloc(side * (side + 1));
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) rows[y * (side + 1) + x + 1] = colourAt(x, y);
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 3, 0, 0, 0]);
  const palette = Buffer.from(
    colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND'),
  ]);
}

/** Sky, grass, trunk, leaves or a cherry. */
function colourAt(x: number, y: number): number {
  const crown = Math.hypot(x - 96, y - 76) + 6 * Math.sin(Math.atan2(y - 76, x - 96) * 9);
  const isCherry = Math.hypot((x % 24) - 12, ((y + (x % 48 > 24 ? 12 : 0)) % 24) - 12) < 4.5;
  if (crown < 58) return isCherry && crown < 50 ? 4 : 3;
  if (y > 120 && y < 168 && Math.abs(x - 96) < 7 + (y - 120) / 8) return 2;
  return y > 156 ? 1 : 0;
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
