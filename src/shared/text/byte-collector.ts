const firstBytes = 16 * 1024;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Collects bytes that arrive in pieces, however small they are: its memory is at most twice its
 * content. A list of the pieces would take a hundred times as much where each is a byte. A single piece is
 * kept as it came, without a copy. Once cleared it keeps what the next few small pieces need.
 */
export class ByteCollector {
  #bytes: Uint8Array | undefined;
  #size = 0;
  /** What pieces are joined in: what is kept now, or what was before. */
  #room: Uint8Array | undefined;

  get size(): number {
    return this.#size;
  }

  append(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (this.#bytes) this.#reserve(this.#bytes, this.#size + piece.length).set(piece, this.#size);
    else this.#bytes = piece;
    this.#size += piece.length;
  }

  /** The content, valid until the next change. */
  bytes(): Uint8Array {
    return this.#bytes?.subarray(0, this.#size) ?? new Uint8Array();
  }

  /** The content as text; what is no UTF-8 becomes U+FFFD. */
  text(): string {
    return decoder.decode(this.bytes());
  }

  clear(): void {
    this.#bytes = undefined;
    this.#size = 0;
    if (this.#room && this.#room.length > firstBytes) this.#room = undefined;
  }

  /** What has room for that many; the first piece is somebody else's. */
  #reserve(bytes: Uint8Array, size: number): Uint8Array {
    let room = this.#room;
    if (!room || room.length < size)
      room = new Uint8Array(Math.max(firstBytes, size, 2 * this.#size));
    if (bytes !== room) room.set(bytes.subarray(0, this.#size));
    this.#bytes = room;
    this.#room = room;
    return room;
  }
}

/** All bytes of a body; throws what `tooLarge` makes as soon as there are more than `maxBytes`. */
export async function collectBytes(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  const collector = new ByteCollector();
  for await (const piece of body ?? []) {
    if (collector.size + piece.length > maxBytes) throw tooLarge();
    collector.append(piece);
  }
  return collector.bytes();
}
