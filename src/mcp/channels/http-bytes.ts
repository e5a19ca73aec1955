const firstCapacity = 16 * 1024;
const nothing = Buffer.alloc(0);

/**
 * Collects bytes that arrive in pieces, however small they are: its memory is at most twice its
 * content. A single piece is kept as it came, without a copy.
 */
export class ByteCollector {
  #bytes: Buffer = nothing;
  #size = 0;
  #owned = false;

  get size(): number {
    return this.#size;
  }

  append(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#size === 0 && !this.#owned) this.#bytes = piece;
    else {
      this.#reserve(this.#size + piece.length);
      piece.copy(this.#bytes, this.#size);
    }
    this.#size += piece.length;
  }

  /** The content, valid until the next change. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  /** The content as text; what is no UTF-8 becomes U+FFFD. */
  text(): string {
    return this.#bytes.toString('utf8', 0, this.#size);
  }

  clear(): void {
    this.#bytes = nothing;
    this.#size = 0;
    this.#owned = false;
  }

  #reserve(size: number): void {
    if (this.#owned && size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(firstCapacity, size, 2 * this.#size));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
    this.#owned = true;
  }
}
