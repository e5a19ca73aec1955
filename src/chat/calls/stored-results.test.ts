import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { ModelMessage } from '#shared/vocabulary/model.ts';
import type { BlobFacts, BlobPort, StoredBlob } from '#shared/vocabulary/ports.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { StoredMedia } from './stored-media.ts';
import { loadStored, storeLarge } from './stored-results.ts';

const owner = 'me';
const mebibyte = 1024 * 1024;

/** Keeps bytes in memory; `reads` counts. */
class Memory implements BlobPort {
  readonly #kept = new Map<string, { blob: StoredBlob; bytes: Uint8Array }>();
  reads = 0;

  async keep(bytes: Uint8Array, { mimeType }: BlobFacts): Promise<StoredBlob> {
    const id = `blob-${this.#kept.size}`;
    const blob = { id, hash: id, size: bytes.length, mimeType };
    this.#kept.set(id, { blob, bytes });
    return blob;
  }

  async find(_owner: string, id: string): Promise<StoredBlob | undefined> {
    return this.#kept.get(id)?.blob;
  }

  async read({ hash }: Pick<StoredBlob, 'hash'>): Promise<Buffer> {
    this.reads += 1;
    return Buffer.from(this.#kept.get(hash)?.bytes ?? []);
  }
}

describe('storeLarge', () => {
  it('is undone by loadStored', async () => {
    const blobs = new Memory();
    const result: ToolResult = {
      content: [
        { type: 'text', text: 'a'.repeat(200_000) },
        { type: 'audio', data: Buffer.alloc(mebibyte).toString('base64'), mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'a://b', text: 'b'.repeat(100_000) } },
        {
          type: 'resource',
          resource: { uri: 'a://c', blob: 'A'.repeat(100_000), mimeType: 'x/y' },
        },
        { type: 'resource_link', uri: 'https://example.com', name: 'link' },
      ],
      structuredContent: Array.from({ length: 20_000 }, (_, n) => n),
      isError: true,
      problem: 'It is odd.',
    };
    const stored = await storeLarge(result, { blobs, limits: usualLimits }, { owner });
    expect(JSON.stringify(stored).length).toBeLessThan(usualLimits.resultToModel + 2000);
    expect(await loadStored(stored, blobs, owner)).toEqual(result);
  });

  it.each([3000, 1001])(
    'makes one text of %i parts, and loses none of their words',
    async (count) => {
      const links = Array.from({ length: count }, (_, n) => ({
        type: 'resource_link' as const,
        uri: `note://${n}`,
        name: 'note',
      }));
      const texts = links.map((_, n) => ({ type: 'text' as const, text: `word ${n}` }));
      const limits = { ...usualLimits, resultToModel: 16 * mebibyte };
      const keep = async (content: ToolResult['content']) =>
        (await storeLarge({ content }, { blobs: new Memory(), limits }, { owner })).content;
      const words = texts.map(({ text }) => text).join('\n');
      expect(await keep(texts)).toEqual([{ type: 'text', text: words }]);
      const [text, ...rest] = await keep([...links, ...texts]);
      expect(rest).toEqual(links.slice(0, 999));
      const lines = links.slice(999).map(({ uri }) => `[note](${uri})`);
      expect(text).toEqual({ type: 'text', text: [words, ...lines].join('\n') });
    },
  );

  it('keeps the outcome and says so when there is no room for the bytes', async () => {
    const full = new Memory();
    full.keep = () => Promise.reject(new CeriseError('storage_unavailable', 'The disk is full.'));
    const result: ToolResult = {
      content: [
        { type: 'text', text: 'a'.repeat(200_000) },
        { type: 'image', data: 'A'.repeat(100_000), mimeType: 'image/png' },
      ],
      structuredContent: 'b'.repeat(100_000),
    };
    const stored = await storeLarge(result, { blobs: full, limits: usualLimits }, { owner });
    expect(stored.problem).toBe("Part of this result couldn't be saved. The disk is full.");
    expect(stored.content).toMatchObject([
      { type: 'text', text: expect.stringContaining('characters left out') as string },
      { type: 'text', text: '[Image: image/png]' },
    ]);
    expect(stored).not.toHaveProperty('structuredStored');
    expect(JSON.stringify(stored).length).toBeLessThan(usualLimits.resultToModel + 1000);
  });
});

describe('StoredMedia', () => {
  const image = (id: string, size: number): ModelMessage => ({
    role: 'user',
    parts: [
      { type: 'file', mimeType: 'image/png', data: '', name: `${id}.png`, stored: { id, size } },
    ],
  });

  it('sends the newest media that fit into one request and describes the others', async () => {
    const blobs = new Memory();
    const messages: ModelMessage[] = [];
    for (const [n, mebibytes] of [5, 5, 5, 6, 5, 0.5].entries()) {
      const facts = { owner, mimeType: 'image/png' };
      const { id, size } = await blobs.keep(Buffer.alloc(mebibytes * mebibyte, n), facts);
      messages.push(image(id, size));
    }
    const filled = await new StoredMedia({ blobs, limits: usualLimits }, owner).load(messages);
    const parts = filled.map((message) => (message.role === 'tool' ? undefined : message.parts[0]));
    expect(parts.map((part) => part?.type)).toEqual([
      'text', // no room left
      'file',
      'file',
      'text', // too large for any model
      'file',
      'file',
    ]);
    expect(parts[0]).toEqual({ type: 'text', text: '[Image: blob-0.png, image/png]' });
  });

  it('reads each once for all rounds of a turn', async () => {
    const blobs = new Memory();
    const { id, size } = await blobs.keep(Buffer.alloc(100), { owner, mimeType: 'image/png' });
    const media = new StoredMedia({ blobs, limits: usualLimits }, owner);
    const first = await media.load([image(id, size)]);
    expect(await media.load([image(id, size)])).toEqual(first);
    expect(blobs.reads).toBe(1);
  });
});
