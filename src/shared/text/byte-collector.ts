const firstCapacity = 16 * 1024;

/**
 * Collects bytes that arrive in pieces, however small they are: its memory is at most twice its
 * content. A list of the pieces would take a hundred times as much where each is a byte. A single piece is
 * kept as it came, without a copy.
 */
export class ByteCollector {
  #bytes: Buffer | undefined;
  #size = 0;
  #owned = false;

  get size(): number {
    return this.#size;
  }

  append(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (this.#bytes) this.#reserve(this.#bytes, this.#size + piece.length).set(piece, this.#size);
    else this.#bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    this.#size += piece.length;
  }

  /** The content, valid until the next change. */
  bytes(): Buffer {
    return this.#bytes?.subarray(0, this.#size) ?? Buffer.alloc(0);
  }

  /** The content as text; what is no UTF-8 becomes U+FFFD. */
  text(): string {
    return this.#bytes?.toString('utf8', 0, this.#size) ?? '';
  }

  clear(): void {
    this.#bytes = undefined;
    this.#size = 0;
    this.#owned = false;
  }

  /** What has room for that many; the first piece is somebody else's. */
  #reserve(bytes: Buffer, size: number): Buffer {
    if (this.#owned && size <= bytes.length) return bytes;
    const larger = Buffer.allocUnsafeSlow(Math.max(firstCapacity, size, 2 * this.#size));
    bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
    this.#owned = true;
    return larger;
  }
}
