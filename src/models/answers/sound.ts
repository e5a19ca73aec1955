const usualRate = 24_000;
const headerBytes = 44;

/** Whether this is sound as bare numbers, which no player plays: 16 bits, one channel. */
export function isPcm(mimeType: string): boolean {
  return /^audio\/(l16|pcm|x-pcm)\b/i.test(mimeType);
}

/** Puts the pieces of bare sound together and makes them a file that can be played. */
export class Sound {
  readonly #rate: number;
  readonly #pieces: Buffer[] = [];
  #size = 0;

  constructor(mimeType: string) {
    const rate = Number(/\brate=(\d{4,6})\b/i.exec(mimeType)?.[1]);
    this.#rate = Number.isFinite(rate) ? rate : usualRate;
  }

  /** Takes a piece in base64. */
  add(data: string): void {
    const piece = Buffer.from(data, 'base64');
    this.#size += piece.length;
    this.#pieces.push(piece);
  }

  /** A WAVE file in base64; undefined when there is no sound. */
  toWave(): string | undefined {
    if (this.#size === 0) return undefined;
    const header = Buffer.alloc(headerBytes);
    header.write('RIFF', 0);
    header.writeUInt32LE(headerBytes - 8 + this.#size, 4);
    header.write('WAVEfmt ', 8);
    header.writeUInt32LE(16, 16);
    header.writeUInt16LE(1, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt32LE(this.#rate, 24);
    header.writeUInt32LE(this.#rate * 2, 28);
    header.writeUInt16LE(2, 32);
    header.writeUInt16LE(16, 34);
    header.write('data', 36);
    header.writeUInt32LE(this.#size, 40);
    return Buffer.concat([header, ...this.#pieces]).toString('base64');
  }
}
