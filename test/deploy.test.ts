import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { startServer } from './fixtures/cerise-process.ts';
import { freePort } from './fixtures/free-port.ts';
import { emptyPlace } from './fixtures/http.ts';
import { adapt, checkConfiguration, nginxVersion, startNginx } from './fixtures/nginx.ts';
import { processToken } from './fixtures/running-command.ts';
import { readFrames } from './fixtures/sse-reader.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const containerfile = read('deploy/Containerfile');
const nginxConfiguration = read('deploy/nginx.conf');
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose;
const objects = parseAllDocuments(read('deploy/kubernetes.yaml')).map(
  (document) => document.toJS() as KubernetesObject,
);

interface Compose {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}
interface ComposeService {
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  read_only?: boolean;
}
/** As deep as is looked at here; anything that is missing shows as a failed expectation. */
type Tree = { [key: string]: Tree } & Tree[];
type KubernetesObject = { kind: string; apiVersion: string } & Record<string, Tree>;

/** Names of settings that a file of the repository reads from the environment. */
function settingsIn(pattern: string[]): Set<string> {
  const files = globSync(pattern, { cwd: root }).filter((file) => !file.includes('.test.'));
  const reads = /(?:env(?:ironment)?(?:\?\.|\.)?\[?['"]?)(CERISE_[A-Z_]+)/g;
  return new Set(
    files.flatMap((file) => [...read(file).matchAll(reads)].map(([, name = '']) => name)),
  );
}
const settings = settingsIn(['src/cli/settings/settings.ts', 'src/cli/terminal/open-browser.ts']);

const kubernetes = (kind: string): KubernetesObject => {
  const found = objects.find((each) => each.kind === kind);
  if (!found) throw new Error(`there is no ${kind}`);
  return found;
};
const pod = (): Tree => kubernetes('Deployment')['spec']?.['template']?.['spec'] as Tree;
const container = (): Tree => pod()['containers']?.[0] as Tree;

describe('the documents of operation', () => {
  const operating = read('docs/operating.md');

  it('list every setting that the program reads, and no other', () => {
    const table = operating.slice(operating.indexOf('## Settings'));
    const rows = table.slice(0, table.indexOf('\n## ')).matchAll(/^\| `(CERISE_[A-Z_]+)` \|/gm);
    const listed = [...rows].map(([, name = '']) => name);
    const used = settingsIn(['src/**/*.ts', 'scripts/*.mjs', 'bin/*.mjs']);
    expect(listed.toSorted()).toEqual([...used].toSorted());
    expect(used.size).toBeGreaterThan(12);
  });

  it('say with the same names what the files for deployment say', () => {
    for (const file of ['Containerfile', 'compose.yaml', 'nginx.conf', 'kubernetes.yaml'])
      expect(operating).toContain(`deploy/${file}`);
  });
});

describe('the container file', () => {
  const lines = containerfile.replaceAll(/\\\n\s*/g, ' ').split('\n');
  const all = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

  it('sets only settings that exist', () => {
    const names = [
      ...all('ENV')
        .join(' ')
        .matchAll(/(CERISE_[A-Z_]+)=/g),
    ].map(([, name]) => name);
    expect(names).toContain('CERISE_HOME');
    expect(names.filter((name = '') => !settings.has(name))).toEqual([]);
  });

  it('runs no scripts of packages, and not as root', () => {
    for (const line of all('RUN').filter((each) => each.includes('npm install')))
      expect(line).toContain('--ignore-scripts');
    const last = containerfile.lastIndexOf('\nFROM ');
    expect(containerfile.indexOf('\nUSER node\n', last)).toBeGreaterThan(last);
  });

  it('uses one base, of the version of Node that is needed', () => {
    const bases = new Set(all('FROM').map((line) => line.split(' ')[0]));
    expect([...bases]).toEqual(['${BASE}']);
    expect(all('ARG')).toEqual(['BASE=docker.io/library/node:26-bookworm-slim']);
    expect(JSON.parse(read('package.json')).engines.node).toBe('>=26.1.0');
  });

  it('copies only what exists and is not left out of the context', () => {
    const copied = all('COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(' ').slice(0, -1));
    const context = read('deploy/Containerfile.dockerignore');
    for (const path of copied) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      expect(context).toContain(`\n!${path}\n`);
    }
  });

  it('runs the package with what the lock file has for it: test/package.test.ts runs the package itself', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
    expect(last.filter((line) => line.startsWith('COPY '))).toEqual([
      'COPY --from=dependencies /app/node_modules ./node_modules',
      'COPY --from=package /app/dist/package ./node_modules/cerise',
    ]);
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
    const installed = productionPackages();
    for (const name of Object.keys(dependencies))
      expect(installed).toContain(`node_modules/${name}`);
  });
});

/** What `npm install --omit=dev --omit=optional` installs, by the lock file. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  return Object.entries(packages).flatMap(([path, { dev, optional, devOptional }]) =>
    path === '' || dev || optional || devOptional ? [] : [path],
  );
}

describe('the compose file', () => {
  const instances = ['cerise-1', 'cerise-2'];

  it('gives two instances the same settings, all of which exist', () => {
    const [first, second] = instances.map((name) => compose.services[name]?.environment);
    expect(first).toEqual(second);
    const names = Object.keys(first ?? {});
    for (const name of ['CERISE_DATABASE_URL', 'CERISE_SECRET_KEY', 'CERISE_TOKEN'])
      expect(names).toContain(name);
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
  });

  it('gives each instance its own folder, time to drain, and no right to write elsewhere', () => {
    const places = instances.map((name) => compose.services[name]?.volumes?.[0] ?? '');
    expect(new Set(places).size).toBe(2);
    for (const [n, name] of instances.entries()) {
      expect(places[n]).toMatch(/:\/data$/);
      expect(compose.services[name]).toMatchObject({ stop_grace_period: '40s', read_only: true });
      expect(compose.services[name]?.depends_on).toEqual({
        database: { condition: 'service_healthy' },
      });
    }
    const used = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
      .filter((volume) => !volume.startsWith('.'));
    expect(used.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  });

  it('agrees with the other files on names and ports', () => {
    const [, port] = /CERISE_PORT=(\d+)/.exec(containerfile) ?? [];
    expect(containerfile).toContain(`EXPOSE ${port}\n`);
    for (const name of instances) expect(nginxConfiguration).toContain(`server ${name}:${port} `);
    const [published = ''] = compose.services['proxy']?.ports ?? [];
    expect(published).toMatch(/^127\.0\.0\.1:/);
    expect(nginxConfiguration).toContain(`listen ${published.split(':').at(-1)};`);
    const url = compose.services['cerise-1']?.environment?.['CERISE_DATABASE_URL'] ?? '';
    const database = compose.services['database']?.environment;
    expect(url).toContain(`@database:5432/${database?.['POSTGRES_DB']}`);
    expect(url).toContain(`//${database?.['POSTGRES_USER']}:\${DATABASE_PASSWORD:`);
    expect(database?.['POSTGRES_PASSWORD']).toContain('${DATABASE_PASSWORD:');
  });
});

describe('the Kubernetes example', () => {
  it('is made of known objects', () => {
    expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 Secret',
      'apps/v1 Deployment',
      'v1 Service',
      'policy/v1 PodDisruptionBudget',
      'networking.k8s.io/v1 Ingress',
    ]);
  });

  it('sets only settings that exist, secrets only through the Secret', () => {
    const secrets = Object.keys(kubernetes('Secret')['stringData'] ?? {});
    const plain = [...(container()['env'] ?? [])].map(({ name }) => String(name));
    expect(secrets.toSorted()).toEqual([
      'CERISE_DATABASE_URL',
      'CERISE_SECRET_KEY',
      'CERISE_TOKEN',
    ]);
    expect([...secrets, ...plain].filter((name) => !settings.has(name))).toEqual([]);
    expect(container()['envFrom']).toEqual([{ secretRef: { name: 'cerise' } }]);
  });

  it('selects its own pods everywhere', () => {
    const labels = kubernetes('Deployment')['spec']?.['template']?.['metadata']?.['labels'];
    expect(kubernetes('Deployment')['spec']?.['selector']?.['matchLabels']).toEqual(labels);
    expect(kubernetes('Service')['spec']?.['selector']).toEqual(labels);
    expect(kubernetes('PodDisruptionBudget')['spec']?.['selector']?.['matchLabels']).toEqual(
      labels,
    );
  });

  it('probes by a name and a port that Cerise knows', () => {
    expect(container()['ports']).toEqual([{ name: 'http', containerPort: 4310 }]);
    const probe = (name: string) => container()[name]?.['httpGet'];
    const httpHeaders = [{ name: 'Host', value: '127.0.0.1:4310' }];
    expect(probe('readinessProbe')).toEqual({ path: '/readyz', port: 'http', httpHeaders });
    expect(probe('livenessProbe')).toEqual({ path: '/healthz', port: 'http', httpHeaders });
  });

  it('leaves an instance the time to drain', () => {
    const before = Number(container()['lifecycle']?.['preStop']?.['exec']?.['command']?.[1]);
    expect(Number(pod()['terminationGracePeriodSeconds'])).toBeGreaterThanOrEqual(before + 30 + 5);
    expect(kubernetes('Deployment')['spec']?.['replicas']).toBe(2);
    expect(kubernetes('PodDisruptionBudget')['spec']?.['minAvailable']).toBe(1);
  });
});

it('the proxies let the largest file through', () => {
  const annotations = kubernetes('Ingress')['metadata']?.['annotations'];
  const sizes = [
    /client_max_body_size (\d+)m/.exec(nginxConfiguration)?.[1],
    /^(\d+)m$/.exec(String(annotations?.['nginx.ingress.kubernetes.io/proxy-body-size']))?.[1],
  ];
  for (const size of sizes) expect(Number(size) * 1024 * 1024).toBeGreaterThan(usualLimits.file);
});

/** An instance that does what a test tells it, and remembers what it was asked. */
async function startInstance(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    answer(incoming, response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, asked };
}

const version = nginxVersion();
if (!version) process.stderr.write('The proxy is not tested: nginx is not installed.\n');

describe.skipIf(!version)('nginx with the configuration that ships', () => {
  it('accepts it', async () => {
    const { ok, says } = await checkConfiguration(adapt(nginxConfiguration, 8080, [4310, 4311]));
    expect([ok, says]).toEqual([true, expect.stringContaining('test is successful')]);
    expect(says).not.toContain('[warn]');
  });

  it.each(['/api/events', '/api/topics/x/events', '/v1/chat/completions', '/mcp'])(
    'hands on each event of %s at once',
    async (path) => {
      const next = Promise.withResolvers<void>();
      const instance = await startInstance((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"n":1}\n\n');
        void next.promise.then(() => response.end('data: {"n":2}\n\n'));
      });
      const { url } = await startNginx(nginxConfiguration, [instance.port]);
      const seen: unknown[] = [];
      await readFrames(await fetch(`${url}${path}`), ({ event }) => {
        seen.push(event);
        next.resolve();
      });
      expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
    },
  );

  it('hands on a file while it comes in', async () => {
    const first = Promise.withResolvers<void>();
    const instance = await startInstance((incoming, response) => {
      incoming.once('data', () => first.resolve());
      incoming.on('end', () => response.end('got it'));
    });
    const { port } = await startNginx(nginxConfiguration, [instance.port]);
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/files' });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write('the first piece');
    await first.promise;
    sending.end('the last');
    expect((await answered)[0].statusCode).toBe(200);
  });

  it.each([
    ['GET', 2],
    ['PUT', 2],
    ['DELETE', 2],
    ['POST', 1],
    ['PATCH', 1],
  ])('sends a %s that breaks an instance to %i of them', async (method, times) => {
    const breaking = () => startInstance((incoming) => void incoming.socket.destroy());
    const [first, second] = [await breaking(), await breaking()];
    const { url } = await startNginx(nginxConfiguration, [first.port, second.port]);
    const response = await fetch(`${url}/api/x`, { method });
    expect(response.status).toBe(502);
    expect([...first.asked, ...second.asked]).toHaveLength(times);
  });

  it('finds the instance that is there, and leaves the Host header alone', async () => {
    const there = await startInstance((incoming, response) => response.end(incoming.headers.host));
    const { url, port } = await startNginx(nginxConfiguration, [await freePort(), there.port]);
    for (let n = 0; n < 4; n += 1) {
      const response = await fetch(`${url}/api/x`, { method: 'POST' });
      expect(await response.text()).toBe(`127.0.0.1:${port}`);
    }
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it('shows a whole answer of a real Cerise', async () => {
    const { home } = await emptyPlace();
    const own = await freePort();
    const { url, port } = await startNginx(nginxConfiguration, [own]);
    await startServer({
      CERISE_HOME: home,
      CERISE_PORT: String(own),
      CERISE_ALLOWED_HOSTS: `127.0.0.1:${port}`,
    });
    const headers = { authorization: `Bearer ${processToken}`, 'content-type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const { id } = (await (await post('/api/topics', {})).json()) as Topic;
    const events = await fetch(`${url}/api/topics/${id}/events`, { headers });
    expect(events.headers.get('content-type')).toContain('text/event-stream');
    await post(`/api/topics/${id}/messages`, { text: '/write 50' });
    expect(await readFrames(events, ({ event }) => event?.type === 'message-end')).toBe('done');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});
