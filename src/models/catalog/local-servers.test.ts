import { afterEach, describe, expect, it } from 'vitest';
import {
  startFakeVendor,
  type FakeVendor,
  type ListAnswer,
} from '../../../test/fakes/fake-vendor.ts';
import { createLocalServers, usualPlaces } from './local-servers.ts';

const running: FakeVendor[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((vendor) => vendor.close()));
});

async function place(kind: string, answer: ListAnswer | 'hang' | undefined) {
  const fake = await startFakeVendor(() => answer);
  running.push(fake);
  return { kind, baseUrl: `${fake.origin}/v1` };
}
const list = (...data: unknown[]) => ({ body: { object: 'list', data } });

describe('looking for model servers on this machine', () => {
  it('knows the usual ports', () => {
    const ports = usualPlaces.map(({ kind, baseUrl }) => `${kind} ${new URL(baseUrl).port}`);
    expect(ports).toEqual(
      expect.arrayContaining(['ollama 11434', 'lm-studio 1234', 'llama.cpp 8080', 'vllm 8000']),
    );
    for (const { baseUrl } of usualPlaces) expect(new URL(baseUrl).hostname).toBe('127.0.0.1');
  });

  it('finds those that answer with a list, and nothing else', async () => {
    const closed = await startFakeVendor(() => undefined);
    await closed.close();
    const places = [
      await place('ollama', { body: { object: 'list', data: null } }),
      { kind: 'lm-studio', baseUrl: `${closed.origin}/v1` },
      await place('jan', list({ id: 'm' })),
      await place('sglang', { body: '<html>a web site</html>' }),
      await place('gpt4all', { body: { hello: 'world' } }),
      await place('koboldcpp', { status: 401, body: {} }),
    ];
    expect(await createLocalServers(places).found()).toEqual([
      { name: 'ollama', ...places[0] },
      { name: 'jan', ...places[2] },
    ]);
  });

  it('calls a server what it says it is, and each by a name of its own', async () => {
    const places = [
      await place('llama.cpp', list({ id: 'm', owned_by: 'vllm' })),
      await place('vllm', list({ id: 'm', owned_by: 'vllm' })),
    ];
    const port = new URL(places[1]?.baseUrl ?? '').port;
    expect(await createLocalServers(places).found()).toMatchObject([
      { name: 'vllm', kind: 'vllm' },
      { name: `vllm-${port}`, kind: 'vllm' },
    ]);
  });

  it('ends after two seconds in all, with what it has', async () => {
    const places = [
      await place('ollama', 'hang'),
      await place('jan', list('m')),
      await place('vllm', 'hang'),
    ];
    expect(await createLocalServers(places).found()).toMatchObject([{ name: 'jan' }]);
  });

  it('looks once in five minutes, and whenever it is told to', async () => {
    let time = 0;
    const local = createLocalServers([await place('jan', list('m'))], () => time);
    const asked = () => running[0]?.requests.length;
    await Promise.all([local.found(), local.found()]);
    expect(asked()).toBe(1);
    await local.look();
    expect(asked()).toBe(2);
    time = 299_999;
    await local.found();
    expect(asked()).toBe(2);
    time = 300_001;
    await local.found();
    expect(asked()).toBe(3);
  });

  it('never looks where there is no place to look at', async () => {
    expect(await createLocalServers([]).look()).toEqual([]);
  });
});
