import { open } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { Context } from 'hono';
import type { Host } from '#chat/host/host.ts';
import { isMachineFull } from '#shared/errors/machine-full.ts';
import { everyone } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import type { Env } from '../api/env.ts';
import { readSession } from '../api/reach.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** Scripts and styles from here alone; nothing a result or a model says can run or load. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page that draws diagrams: it runs our script on a stranger's text, so it has no origin and no
 * network, and only we may frame it. Drawing needs styles of its own.
 */
const framePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');
const assetCaching = 'public, max-age=31536000, immutable';
const framePage = `${sep}diagram.html`;

/**
 * Paths of programs: whatever is not there is said in JSON, never shown as the page; also where a base that ends in
 * a slash made two of it.
 */
const ofPrograms = /^[/\\]+(?:api|v1|mcp|metrics|\.well-known)(?![\w.~-])/i;

/** Serves the built page: its files as they are, and the page itself for every other path. */
export function webPages(api: Api, host: Pick<Host, 'signIns'>, root: string): void {
  // They are the same for everybody, and a frame without an origin needs them too.
  const toEveryPage = { ...everyone, origins: 'any-without-cookies' } as const;
  api.page({ path: '/assets/*', access: toEveryPage }, (c) => servePage(root, c.req.path));
  api.page({ path: '*', access: everyone }, async (c) =>
    isOfPrograms(c.req.path) ? undefined : servePage(root, c.req.path, await isSignedOut(host, c)),
  );
}

/**
 * Whether a browser is surely not signed in, so that the page can begin with the way in. Coming from another site it
 * sends no cookie whoever uses it, and a host that cannot tell says nothing.
 */
async function isSignedOut({ signIns }: Pick<Host, 'signIns'>, c: Context<Env>): Promise<boolean> {
  if (!/^(?:none|same-origin)$/.test(c.req.header('sec-fetch-site') ?? '')) return false;
  const cookie = readSession(c);
  if (cookie === undefined) return true;
  return signIns.visitor({ cookie }).then(
    (visitor) => visitor === undefined,
    () => false,
  );
}

/** However it is written, and also where it cannot be decoded as a whole. */
function isOfPrograms(path: string): boolean {
  return ofPrograms.test(path.replaceAll(/%[0-7][\da-f]/gi, decodeURIComponent));
}

async function servePage(
  root: string,
  asked: string,
  isSignedOut = false,
): Promise<Response | undefined> {
  const path = normalize(decodePath(asked));
  const isAsset = path.startsWith(`${sep}assets${sep}`);
  const isFile = isAsset || path === `${sep}icon.svg` || path === framePage;
  const file = await fileBody(join(root, isFile ? path : 'index.html')).catch(absent);
  if (!file) return undefined;
  const body = isSignedOut && !isFile ? marked(file) : file;
  return new Response(body.body, {
    headers: {
      'content-type': types[isFile ? extname(path) : '.html'] ?? 'application/octet-stream',
      'content-length': String(body.size),
      'cache-control': isAsset ? assetCaching : body === file ? 'no-cache' : 'no-store',
      'content-security-policy': path === framePage ? framePolicy : policy,
      // A frame without an origin loads its scripts as a stranger would.
      ...(isAsset && { 'access-control-allow-origin': '*' }),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
  });
}

/** The page with a mark that nobody is signed in. No browser keeps it: going back to it, somebody may be. */
function marked({ size, body }: FileBody): FileBody {
  if (!(body instanceof Uint8Array)) return { size, body };
  const page = Buffer.from(body).toString().replace('<html', '<html data-signed-out');
  const bytes = new TextEncoder().encode(page);
  return { size: bytes.length, body: bytes };
}

interface FileBody {
  size: number;
  body: Uint8Array<ArrayBuffer> | ReadableStream;
}

/** Bytes of a file in memory for each that asks: anybody may ask for a large one and never read it. */
const sliceBytes = 64 * 1024;

/** The file is not kept open between two slices either. */
async function fileBody(path: string): Promise<FileBody> {
  const { size, bytes } = await readSlice(path, 0);
  if (bytes.length >= size) return { size, body: bytes };
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const slice = at === 0 ? bytes : (await readSlice(path, at)).bytes;
        if (slice.length === 0) throw new Error(`${path} became shorter while it was sent`);
        at += slice.length;
        controller.enqueue(slice);
        if (at >= size) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { size, body };
}

async function readSlice(
  path: string,
  at: number,
): Promise<{ size: number; bytes: Uint8Array<ArrayBuffer> }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sliceBytes), 0, sliceBytes, at);
    return { size, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

/** What cannot be read at this moment is not gone: a browser must not remember it as that. */
function absent(error: unknown): undefined {
  if (isMachineFull(error)) throw error;
}

/** A path that cannot be decoded names no file, so it shows the page. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '/';
  }
}
