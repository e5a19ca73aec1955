import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isCrowdedJson } from '#shared/vocabulary/json.ts';
import type { BuiltinContext } from '../toolkit/context.ts';
import { newServer } from '../toolkit/new-server.ts';
import { readsOutside, textResult } from '../toolkit/tool-result.ts';
import { type FetchedPage, guardedFetch } from './guarded-fetch.ts';
import { convertHtml } from './html.ts';

const inputSchema = z.object({
  url: z.string().min(1).max(8192).describe('Full URL, http or https'),
  headers: z
    .record(z.string(), z.string().max(8192))
    .optional()
    .describe('Extra request headers; not sent to other sites after a redirect'),
  max_length: z
    .int()
    .min(2)
    .max(1_000_000)
    .default(20_000)
    .describe('Maximum number of characters to return'),
  start_index: z
    .int()
    .min(0)
    .default(0)
    .describe('Character position to start from, to continue reading a long page'),
});

type Convert = (page: FetchedPage, signal: AbortSignal) => string | Promise<string>;

const tools: { name: string; title: string; description: string; convert: Convert }[] = [
  {
    name: 'fetch_html',
    title: 'Fetch HTML',
    description: 'Fetches a web page and returns its HTML source.',
    convert: decode,
  },
  {
    name: 'fetch_markdown',
    title: 'Fetch as Markdown',
    description: 'Fetches a web page and returns it as Markdown: the best choice for reading.',
    convert: (page, signal) => readable(page, 'markdown', signal),
  },
  {
    name: 'fetch_text',
    title: 'Fetch as text',
    description: 'Fetches a web page or text file and returns its plain text, without markup.',
    convert: (page, signal) => readable(page, 'text', signal),
  },
  {
    name: 'fetch_json',
    title: 'Fetch JSON',
    description: 'Fetches JSON, for example from a public API.',
    convert: (page) => indented(decode(page)),
  },
];

/** The server `fetch`: reads the public web; see address-policy.ts for what is public. */
export function createFetchServer(context: Pick<BuiltinContext, 'fetchAllow'>): McpServer {
  const server = newServer(
    'fetch',
    'Fetch',
    'Reads pages on the public internet. Private addresses are blocked unless an admin allows them.',
  );
  for (const { name, title, description, convert } of tools) {
    const config = { title, description, inputSchema, annotations: readsOutside };
    server.registerTool(name, config, async (input, { mcpReq }: ServerContext) => {
      const { url, headers, max_length, start_index } = input;
      const allow = await context.fetchAllow();
      const page = await guardedFetch({ url, headers, allow, signal: mcpReq.signal });
      const text = await convert(page, mcpReq.signal);
      return textResult(excerpt(text, start_index, max_length));
    });
  }
  return server;
}

async function readable(
  page: FetchedPage,
  to: 'markdown' | 'text',
  signal: AbortSignal,
): Promise<string> {
  const text = decode(page);
  const isHtml = /html|xml/i.test(page.contentType) || /^\s*<(!doctype|html)/i.test(text);
  return isHtml ? convertHtml({ html: text, to, base: page.url }, signal) : text;
}

/** The text in the charset of the header, else of the page's own meta element, else UTF-8. */
function decode({ body, contentType }: FetchedPage): string {
  if (/^(image|audio|video|font)\/(?!svg)|octet-stream|zip|pdf/i.test(contentType)) {
    throw new CeriseError(
      'unreadable_response',
      say('fetch-not-text')`The page isn't text; its type is ${contentType.slice(0, 100)}.`,
    );
  }
  const start = Buffer.from(body.subarray(0, 2048)).toString('latin1');
  const inMeta = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1];
  const charset = /charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1] ?? inMeta ?? 'utf-8';
  return decoder(charset).decode(body);
}

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}

/** What is too much to be read at once stays as it was written. */
function indented(text: string): string {
  return isCrowdedJson(text) ? text : JSON.stringify(parseJson(text), null, 2);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = say(
      'fetch-not-json',
    )`The response isn't valid JSON. Try fetch_markdown or fetch_text.`;
    throw new CeriseError('unreadable_response', message, { cause });
  }
}

function excerpt(text: string, start: number, length: number): string {
  if (start > 0 && start >= text.length) {
    const message = say(
      'fetch-beyond',
    )`start_index is past the end of the page, which has ${text.length} characters.`;
    throw new CeriseError('invalid_arguments', message);
  }
  const cut = text.slice(start, start + length);
  const part = start + length < text.length ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut;
  const end = start + part.length;
  if (end >= text.length) return part;
  return `${part}\n\n[Characters ${start} to ${end} of ${text.length}. For more call again with start_index ${end}.]`;
}
