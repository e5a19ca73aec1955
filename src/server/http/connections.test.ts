import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../listen.ts';
import { openApi, token } from '../../../test/fixtures/http.ts';
import { addPerson, type Person } from '../../../test/fixtures/people.ts';
import type { ConnectionLimits } from './connections.ts';

const small = { connections: 50, connectionsPerAddress: 20 };
const hasManyAddresses = process.platform === 'linux';
if (!hasManyAddresses)
  process.stderr.write(
    'Not tried: connections of many addresses (T80). Only Linux has 127.0.0.0/8.\n',
  );

async function serve(
  limits: Partial<ConnectionLimits> = {},
  { trustedProxies }: { trustedProxies?: string[] } = {},
) {
  const api = await openApi({ limits: { ...small, ...limits } });
  const server = await listen(api.host, {
    home: api.place.home,
    hostname: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    localToken: 'local',
    webRoot: api.place.home,
    ...(trustedProxies && { trustedProxies }),
  });
  onTestFinished(() => server.close());
  return { api, url: new URL(server.url) };
}

/** A connection that says what it is told to say, and whether it is still open. */
async function open(url: URL, text = '', localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: Number(url.port), host: url.hostname, localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  if (text) socket.write(text);
  return socket;
}

async function openMany(url: URL, count: number, text = '', address = () => '127.0.0.1') {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 1) sockets.push(await open(url, text, address()));
  return sockets;
}

/** Whatever error comes before it. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()));

const stillOpen = (sockets: Socket[]): number => sockets.filter(({ closed }) => !closed).length;

function manyAddresses(): () => string {
  let n = 0;
  return () => `127.0.${1 + Math.floor((n += 1) / 250)}.${1 + (n % 250)}`;
}

/** Requests over one connection that is kept, as a browser or a proxy does. */
function keptConnection(url: URL, bearer: string, localAddress = '127.0.0.1') {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const sockets = new Set<Socket>();
  const ask = async (path = '/api/me'): Promise<number | undefined> => {
    const headers = { authorization: `Bearer ${bearer}` };
    const sent = request(new URL(path, url), { agent, headers, localAddress }).end();
    sent.once('socket', (socket) => sockets.add(socket));
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  };
  return { ask, agent, used: () => sockets.size };
}

const keyOf = async (person: Person): Promise<string> =>
  (await person.json<{ key: string }>('POST', '/api/keys', { name: 'key' })).key;

const health = async (url: URL): Promise<number> =>
  (await fetch(new URL('/healthz', url), { headers: { connection: 'close' } })).status;

const halfHeaders = 'POST /api/sign-in HTTP/1.1\r\nHost: x\r\nContent-';
const halfBody = ({ host }: URL) =>
  `POST /api/sign-in HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"na`;

describe('T80: too many connections', () => {
  it.each([
    ['that say nothing', () => ''],
    ['with half their headers', () => halfHeaders],
    ['with half a body', halfBody],
  ])('of one address, %s, are bounded, and people get through', async (_, text) => {
    const { url } = await serve();
    const person = keptConnection(url, token);
    expect(await person.ask()).toBe(200);
    const sockets = await openMany(url, 300, text(url));
    await expect.poll(() => stillOpen(sockets)).toBeLessThanOrEqual(20);
    expect(stillOpen(sockets)).toBeGreaterThan(0);
    expect(await person.ask()).toBe(200);
    expect(person.used()).toBe(1);
    expect(await keptConnection(url, token).ask()).toBe(200);
    expect(await health(url)).toBe(200);
  });

  it.skipIf(!hasManyAddresses).each([
    ['that say nothing', () => ''],
    ['with half their headers', () => halfHeaders],
    ['with half a body', halfBody],
  ])('of many addresses, %s, are bounded, and people get through', async (_, text) => {
    const { url } = await serve();
    const people = Array.from({ length: 10 }, () => keptConnection(url, token));
    for (const { ask } of people) expect(await ask()).toBe(200);
    const sockets = await openMany(url, 300, text(url), manyAddresses());
    await expect.poll(() => stillOpen(sockets)).toBeLessThanOrEqual(40);
    expect(stillOpen(sockets)).toBeGreaterThan(0);
    for (const { ask, used } of people) expect([await ask(), used()]).toEqual([200, 1]);
    expect(await keptConnection(url, token, '127.0.9.9').ask()).toBe(200);
    expect(await health(url)).toBe(200);
  });

  it('do not count for an address once somebody is signed in on them', async () => {
    const { url } = await serve();
    const people = Array.from({ length: 30 }, () => keptConnection(url, token));
    for (const { ask } of people) expect(await ask()).toBe(200);
    for (const { ask, used } of people) expect([await ask(), used()]).toEqual([200, 1]);
  });

  it('count for an address as long as credentials are wrong', async () => {
    const { url } = await serve();
    const strangers = Array.from({ length: 30 }, () => keptConnection(url, 'wrong'));
    // The first are told that they are wrong, the others that they come too early.
    for (const { ask } of strangers) expect([401, 429]).toContain(await ask());
    for (const { ask } of strangers) expect(await ask()).toBe(429);
    expect(strangers.filter(({ used }) => used() > 1).length).toBeGreaterThan(9);
  });

  it('are not limited for the address of a trusted proxy', async () => {
    const { url } = await serve({}, { trustedProxies: ['127.0.0.1'] });
    const sockets = await openMany(url, 45);
    expect(await health(url)).toBe(200);
    expect(stillOpen(sockets)).toBe(45);
  });

  it.each([
    ['of one person', []],
    ['of one person behind a proxy', ['127.0.0.1']],
  ])('%s do not keep others out', async (_, trustedProxies) => {
    const { api, url } = await serve({}, { trustedProxies });
    const [greedy, other] = [await addPerson(api, 'Greedy'), await addPerson(api, 'Other')];
    const stream = async (person: Person) =>
      `GET /api/events HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${await keyOf(person)}\r\n\r\n`;
    const streams = await openMany(url, 60, await stream(greedy));
    expect(await health(url)).toBe(200);
    const others = await openMany(url, 20, await stream(other));
    const { ask } = keptConnection(url, await keyOf(other));
    expect(await ask()).toBe(200);
    await expect.poll(() => stillOpen(streams)).toBeLessThan(50);
    expect(stillOpen(streams)).toBeGreaterThan(30);
    expect(stillOpen(others)).toBe(20);
    expect(await health(url)).toBe(200);
  });
});

describe('T80: requests that do not wait for their answers', () => {
  const probe = ({ host }: URL) => `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const stream = ({ host }: URL) =>
    `GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

  it('are answered in their order where they are few', async () => {
    const { url } = await serve();
    const socket = await open(url);
    let heard = '';
    socket.on('data', (piece: Buffer) => (heard += piece.toString()));
    socket.write(probe(url).repeat(8));
    await expect.poll(() => heard.match(/HTTP\/1\.1 200/g)?.length).toBe(8);
    expect(stillOpen([socket])).toBe(1);
  });

  it.each([
    ['of a stranger', probe],
    ['of somebody who is signed in, for streams', stream],
  ])('are cut off where they are many: %s', async (_, text) => {
    const { url } = await serve();
    const socket = await open(url, text(url).repeat(1000));
    await closed(socket);
    expect(await health(url)).toBe(200);
  });
});

describe('T80: a request that does not come to its end', () => {
  const quick = { headerTime: 300, bodyIdleTime: 300, strangerRequestTime: 600 };
  const slow = 60_000;

  it.each([
    ['nothing at all', () => ''],
    ['half its headers', () => halfHeaders],
    ['half its body', halfBody],
  ])('is ended in time when it is %s', async (_, text) => {
    const { url } = await serve(quick);
    const socket = await open(url, text(url));
    await closed(socket);
  });

  it('is ended in time although bytes trickle in, where nobody is signed in', async () => {
    const { url } = await serve({ ...quick, bodyIdleTime: slow });
    const socket = await open(url, halfBody(url));
    const trickle = setInterval(() => socket.write(' '), 50);
    onTestFinished(() => clearInterval(trickle));
    await closed(socket);
    expect(socket.bytesRead).toBe(0);
  });

  it('is ended in time after an answer that did not wait for it', async () => {
    const { url } = await serve(quick);
    const refused = `POST /api/files HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 100000\r\n\r\nab`;
    const socket = await open(url, refused);
    await closed(socket);
  });

  it('goes on for somebody who is signed in, as long as it makes progress', async () => {
    const { url } = await serve({ ...quick, bodyIdleTime: 20_000, strangerRequestTime: 100 });
    const { ask, agent } = keptConnection(url, token);
    expect(await ask()).toBe(200);
    const headers = { authorization: `Bearer ${token}`, 'content-length': 40 };
    const upload = { method: 'POST', headers, agent };
    const sent = request(new URL('/api/files?name=slow.txt', url), upload);
    const answered = once(sent, 'response');
    for (let n = 0; n < 40; n += 1) {
      sent.write('x');
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
    sent.end();
    const [response] = await answered;
    expect(response.statusCode).toBe(201);
  });

  it('ends for somebody who is signed in when nothing more comes', async () => {
    const { url } = await serve(quick);
    const socket = await open(
      url,
      `POST /api/files?name=a HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\nContent-Length: 40\r\n\r\nab`,
    );
    await closed(socket);
  });
});
