import type { Host } from '#chat/host/host.ts';
import { uploadQuerySchema, blobQuerySchema, fileSchema } from '#shared/api/file-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { refuseLargeFile } from '#shared/errors/file-size.ts';
import { say } from '#shared/errors/sentence.ts';
import type { StoredBlob } from '#shared/vocabulary/ports.ts';
import { chat, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import { parseRange, fileHeaders, matchesEtag } from '../http/file-headers.ts';
import { incomingBytes } from '../http/incoming-bytes.ts';
import { readFilePart } from '../http/multipart.ts';

/** What a form may have besides its file. */
const formOverheadBytes = 64 * 1024;

/** Files that people send, and whatever else is kept as bytes. */
export function fileRoutes(api: Api, host: Host): void {
  api.upload(
    {
      path: '/api/files',
      access: { ...chat, body: 'bytes', limit: 'file' },
      summary: 'Upload a file (up to 40 MiB). It is deleted after a day unless a message uses it.',
      query: uploadQuerySchema,
      status: 201,
      response: fileSchema,
    },
    async ({ owner, query, c }) => {
      const announced = Number(c.req.header('content-length') ?? 0);
      const { id, size, mimeType, name } = await host.quota.upload(owner, announced, async () => {
        const { bytes, ...facts } = await readUpload(c.req.raw, query.name, host.limits.file);
        return host.blobs.keep(bytes, { owner, ...facts });
      });
      return { id, size, mimeType, ...(name !== undefined && { name }), url: `/api/blobs/${id}` };
    },
  );
  api.get(
    {
      path: '/api/blobs/:id',
      access: read,
      summary: 'Download a file or stored result, in full or a byte range.',
      query: blobQuerySchema,
    },
    async ({ owner, params, query, c }) => {
      const blob = await host.blobs.find(owner, params.id);
      if (!blob)
        throw new CeriseError('file_not_found', say('file-gone')`This file doesn't exist.`);
      const headers = fileHeaders(blob, query.download === '1');
      if (matchesEtag(c.req.header('if-none-match'), blob))
        return new Response(null, { status: 304, headers });
      const asked = { range: c.req.header('range'), ifRange: c.req.header('if-range') };
      return await serveBytes(host, blob, parseRange(asked, blob), headers);
    },
  );
}

async function serveBytes(
  host: Host,
  blob: StoredBlob,
  range: ReturnType<typeof parseRange>,
  headers: Record<string, string>,
): Promise<Response> {
  if (range === null)
    return new Response(null, {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${blob.size}` },
    });
  const { start, end } = range ?? { start: 0, end: blob.size };
  const part = range && { 'content-range': `bytes ${start}-${end - 1}/${blob.size}` };
  return new Response(await host.blobs.stream(blob, range), {
    status: range ? 206 : 200,
    headers: { ...headers, ...part, 'content-length': String(end - start) },
  });
}

interface Upload {
  mimeType: string;
  name?: string;
  bytes: AsyncIterable<Uint8Array>;
}

async function readUpload(
  request: Request,
  name: string | undefined,
  largest: number,
): Promise<Upload> {
  const type = request.headers.get('content-type') ?? '';
  const isForm = /^multipart\/form-data\b/i.test(type);
  const declared = Number(request.headers.get('content-length') ?? 0);
  refuseLargeFile(declared - (isForm ? formOverheadBytes : 0), largest);
  const body = incomingBytes(request);
  const part = isForm ? await readFilePart(body, type) : { name, mimeType: type, bytes: body };
  // Some programs send the whole path.
  const baseName = (name ?? part.name)?.split(/[\\/]/).at(-1);
  return {
    mimeType: part.mimeType,
    ...(baseName && { name: baseName }),
    bytes: refuseEmpty(part.bytes),
  };
}

async function* refuseEmpty(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    yield piece;
  }
  if (size === 0) throw new CeriseError('invalid_request', say('file-empty')`The file is empty.`);
}
