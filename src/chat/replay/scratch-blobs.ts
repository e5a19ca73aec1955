import { createHash, randomUUIDv7 } from 'node:crypto';
import type { BlobPort, StoredBlob } from '#shared/vocabulary/ports.ts';

/** The blobs of a person for a replay. */
interface ScratchBlobs extends BlobPort {
  /** The ids that the recorded answer has for the same bytes, by the one that represents them. */
  sameBytes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Nothing is stored. Bytes that the recorded answer stored keep their id, since models see it; bytes that it stored
 * several times get one of these ids.
 */
export async function scratchBlobs(
  blobs: BlobPort,
  owner: string,
  recordedIds: Iterable<string>,
): Promise<ScratchBlobs> {
  const recorded = new Map<string, StoredBlob>();
  const sameBytes = new Map<string, string[]>();
  for (const id of recordedIds) {
    const blob = await blobs.find(owner, id);
    if (!blob) continue;
    const first = recorded.get(blob.hash) ?? blob;
    recorded.set(blob.hash, first);
    sameBytes.set(first.id, [...(sameBytes.get(first.id) ?? []), id]);
  }
  const made = new Map<string, { blob: StoredBlob; bytes: Buffer }>();
  return {
    sameBytes,
    async keep(bytes, { mimeType }) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const same = recorded.get(hash);
      if (same) return same;
      const fresh = { id: randomUUIDv7(), size: bytes.length, hash, mimeType };
      made.set(fresh.id, { blob: fresh, bytes: Buffer.from(bytes) });
      return fresh;
    },
    find: async (of, id) => made.get(id)?.blob ?? (await blobs.find(of, id)),
    async read(blob, range) {
      const own = [...made.values()].find((each) => each.blob.hash === blob.hash);
      return own ? own.bytes.subarray(range?.start, range?.end) : blobs.read(blob, range);
    },
  };
}
