import type { Host } from '#chat/host/host.ts';
import {
  importQuerySchema,
  importResultSchema,
  storageSchema,
  topicExportQuerySchema,
  deletedSchema,
} from '#shared/api/data-api.ts';
import { manage, read, secret } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import { disposition } from '../http/file-headers.ts';
import { incomingBytes } from '../http/incoming-bytes.ts';

/** Everything of a person at once: how much it is, out, in, and away. */
export function dataRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/data',
      access: read,
      summary: 'Get how much data you store on this host.',
      response: storageSchema,
    },
    ({ owner }) => host.data.storage(owner),
  );
  api.get(
    {
      path: '/api/data/export',
      access: { ...manage, ...secret },
      summary: 'Export all your data as one file, without secrets.',
    },
    async ({ owner }) => {
      const day = new Date().toISOString().slice(0, 10);
      return download(await openLines(host.data.export(owner)), `cerise-${day}.jsonl`);
    },
  );
  api.upload(
    {
      path: '/api/data/import',
      access: { ...manage, body: 'lines', limit: 'importSize' },
      summary: 'Import an export file. With `dryRun=1`, only report what would be imported.',
      query: importQuerySchema,
      response: importResultSchema,
    },
    ({ owner, query, c }) => {
      const announced = Number(c.req.header('content-length') ?? 0);
      return host.data.import(owner, incomingBytes(c.req.raw), query, announced);
    },
  );
  api.delete(
    {
      path: '/api/data/topics',
      access: manage,
      summary: 'Delete all your topics and everything in them.',
      response: deletedSchema,
    },
    async ({ owner }) => ({ deleted: await host.data.deleteTopics(owner) }),
  );
  api.get(
    {
      path: '/api/topics/:id/export',
      access: { ...manage, ...secret },
      summary: 'Export a topic as a file: Markdown for reading, or JSON for importing.',
      query: topicExportQuerySchema,
    },
    async ({ owner, params, query }) => {
      if (query.format === 'json') {
        const lines = await openLines(host.data.exportTopic(owner, params.id));
        return download(lines, `topic-${params.id}.jsonl`);
      }
      const text = await host.data.topicMarkdown(owner, params.id);
      return download(text, `topic-${params.id}.md`);
    },
  );
}

/** Reads the first line before the answer begins, so that what fails at once is an error and no file. */
async function openLines(lines: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await lines.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* lines;
  })();
}

function download(content: string | AsyncGenerator<string>, name: string): Response {
  const isMarkdown = name.endsWith('.md');
  return new Response(typeof content === 'string' ? content : streamOf(content), {
    headers: {
      'content-type': isMarkdown ? 'text/markdown; charset=utf-8' : 'application/x-ndjson',
      'content-disposition': disposition(true, name),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}

/** Each line is made when it is asked for; who goes away ends it. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => void (await lines.return(undefined)),
    },
    { highWaterMark: 1 },
  );
}
