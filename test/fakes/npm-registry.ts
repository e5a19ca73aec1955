import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** An MCP server with one tool, as small as it can be. */
const serverScript = `#!/usr/bin/env node
import { createInterface } from 'node:readline';
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tiny', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: args }) => ({
    content: [{ type: 'text', text: JSON.stringify({ args, argv: process.argv.slice(2) }) }],
  }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const rest = answer ? { result: answer(params) } : { error: { code: -32601, message: 'no such method' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
});
`;

/** A registry of npm on loopback with one package, a tiny server, whose download can be held back. */
export interface NpmRegistry {
  url: string;
  /** How often the package itself was asked for. */
  downloads(): number;
  /** Answers no download until it is called. */
  hold(): () => void;
  /** Sends downloads in small pieces from now on, as a slow line does. */
  trickle(): void;
  /** Resolves when a download waits. */
  held(): Promise<void>;
  close(): Promise<void>;
}

export const tinyPackage = 'tiny-mcp-server';

/** What makes a program use such a registry: npm reads the settings of who runs it. */
export function npmSettings(registry: NpmRegistry): { HOME: string } {
  const HOME = mkdtempSync(join(tmpdir(), 'cerise-'));
  writeFileSync(join(HOME, '.npmrc'), `registry=${registry.url}\ncache=${join(HOME, 'cache')}\n`);
  return { HOME };
}

/** Starts such a registry; its package has this name and version, so many bytes that do not shrink, and a script. */
export async function startRegistry(
  name = tinyPackage,
  version = '1.0.0',
  bytes = 0,
  postinstall?: string,
): Promise<NpmRegistry> {
  const scripts = postinstall === undefined ? {} : { scripts: { postinstall } };
  const tarball = packageTarball({ name, version, ...scripts }, bytes);
  let isSlow = false;
  let count = 0;
  let gate: PromiseWithResolvers<void> | undefined;
  let waiting = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const url = decodeURIComponent(request.url ?? '');
    if (url.endsWith('.tgz')) {
      count += 1;
      waiting.resolve();
      void (gate?.promise ?? Promise.resolve()).then(async () => {
        if (isSlow) await sendSlowly(response, tarball);
        else response.end(tarball);
      });
    } else if (url === `/${name}`)
      sendPackument(response, {
        name,
        version,
        ...scripts,
        tarball,
        host: request.headers.host ?? '',
      });
    else
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    downloads: () => count,
    hold: () => {
      gate = Promise.withResolvers();
      waiting = Promise.withResolvers();
      return () => gate?.resolve();
    },
    trickle: () => {
      isSlow = true;
    },
    held: () => waiting.promise,
    close: async () => {
      gate?.resolve();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function sendSlowly(response: ServerResponse, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length && !response.destroyed; at += 4096) {
    response.write(body.subarray(at, at + 4096));
    await setTimeout(100);
  }
  response.end();
}

function sendPackument(
  response: ServerResponse,
  given: { name: string; version: string; scripts?: object; tarball: Buffer; host: string },
): void {
  const { name, version, scripts, tarball, host } = given;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const release = {
    name,
    version,
    bin: { [tinyPackage]: 'index.mjs' },
    ...(scripts && { scripts, hasInstallScript: true }),
    dist: { integrity, tarball: `http://${host}/${name}/-/${tinyPackage}-${version}.tgz` },
  };
  const packument = { name, 'dist-tags': { latest: version }, versions: { [version]: release } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(packument));
}

function packageTarball(about: { name: string; version: string }, bytes: number): Buffer {
  const manifest = { ...about, type: 'module', bin: { [tinyPackage]: 'index.mjs' } };
  const files = [
    tarEntry('package/package.json', JSON.stringify(manifest)),
    tarEntry('package/index.mjs', serverScript),
    tarEntry('package/noise', randomBytes(bytes / 2).toString('hex')),
  ];
  return gzipSync(Buffer.concat([...files, Buffer.alloc(1024)]));
}

/** One file of a tar archive: a header of 512 bytes, the content, zeros up to a whole block. */
function tarEntry(name: string, text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000755\0', 100);
  header.write('0000000\0'.repeat(2), 108);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0', 148);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}
