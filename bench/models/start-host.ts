import { benchToken, type Running, startCerise } from '../processes.ts';
import { apiKey } from './contestant.ts';
import type { WireName } from './load.ts';

const kinds: Record<WireName, string> = { openai: 'openai-chat', anthropic: 'anthropic' };

/** A running Cerise whose provider `bench` is the one at this address. */
export interface BenchHost extends Running {
  url: string;
  post(path: string, body: object): Promise<unknown>;
}

/** Starts Cerise itself with one provider. */
export async function startHost(home: string, baseUrl: string, wire: WireName): Promise<BenchHost> {
  const cerise = await startCerise(home, {
    NODE_OPTIONS: `--import=${new URL('end-with-parent.ts', import.meta.url).href}`,
    CERISE_DISCOVER: '0',
    // Peers have no bound on rounds, so ours is lifted.
    CERISE_LIMIT_ROUNDS_PER_TURN: '1000',
    CERISE_LIMIT_CALLS_PER_TURN: '1000',
  });
  const post = (path: string, body: object) => postJson(`${cerise.url}${path}`, body);
  const kind = kinds[wire];
  await post('/api/providers', { name: 'bench', kind, baseUrl, apiKey, models: [] });
  return { ...cerise, post };
}

async function postJson(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${benchToken}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${await response.text()}`);
  return await response.json();
}
