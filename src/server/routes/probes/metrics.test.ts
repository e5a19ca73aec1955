import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { calls, says, ScriptedModel } from '../../../../test/fakes/scripted-model.ts';
import { errorOf, openApi, token } from '../../../../test/fixtures/http.ts';
import { ask } from '../../../../test/host.ts';

const metricsKey = 'the-metrics-key-of-this-test';
const authorization = `Bearer ${metricsKey}`;

async function openCounted() {
  const model = new ScriptedModel(
    calls(['mcp__calculator__calculate', { expression: '1+1' }]),
    says('Two.'),
  );
  return openApi({ metricsKey, models: { 'test/model': model } });
}

describe('GET /metrics', () => {
  it('is not there without a key in the settings, as JSON', async () => {
    const api = await openApi();
    const response = await api.raw('GET', '/metrics', { headers: { authorization } });
    expect(response.headers.get('content-type')).toMatch(/json/);
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'not_found' });
    expect(api.host.metrics).toBeUndefined();
  });

  it('opens to its own key alone, and slows those who guess it', async () => {
    const api = await openCounted();
    const from = api.from('203.0.113.9');
    const get = async (headers: Record<string, string>) =>
      (await from.raw('GET', '/metrics', { headers })).status;
    expect(await get({ authorization })).toBe(200);
    expect(await get({})).toBe(401);
    expect(await get({ authorization: `Bearer ${token}` })).toBe(401);
    const statuses = new Set<number>();
    for (let index = 0; index < 25; index += 1)
      statuses.add(await get({ authorization: `Bearer wrong-${index}` }));
    expect(statuses).toEqual(new Set([401, 429]));
    expect(await get({ authorization })).toBe(200);
    const other = await api.raw('GET', '/api/topics', { headers: { authorization } });
    expect(other.status).toBe(401);
  });

  it('counts turns, calls, chunks and tokens, by labels that name nobody', async () => {
    const api = await openCounted();
    const { id } = await api.json<{ id: string }>('POST', '/api/topics', { title: 'canary' });
    await ask(api.host, id, { text: 'one and one?', model: 'test/model' });
    const response = await api.raw('GET', '/metrics', { headers: { authorization } });
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0.0.4/);
    const body = await response.text();
    for (const line of [
      'cerise_turns_total{status="success"} 1',
      'cerise_turns{state="queued"} 0',
      'cerise_model_chunks_total 8',
      'cerise_journal_lag_seconds',
      'cerise_leases 0',
      'cerise_streams 0',
      'cerise_event_loop_delay_seconds{percentile="99"}',
      'process_resident_memory_bytes',
    ])
      expect(body).toContain(line);
    expect(body).toMatch(/cerise_tool_calls_total\{state="\w+"\} 1/);
    expect(body).toMatch(/cerise_servers\{type="inMemory",state="\w+"\} \d/);
    expect(body).toMatch(/gen_ai_client_token_usage_sum\{.*gen_ai_token_type="input"\} 10\n/);
    expect(body).not.toMatch(new RegExp(`${id}|local|one and one|canary`));
    const guide = readFileSync(
      new URL('../../../../docs/observability.md', import.meta.url),
      'utf8',
    );
    const documented = new Set(guide.match(/`(?:cerise|gen_ai|mcp|process)_\w+`/g));
    const names = [...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => `\`${name}\``);
    // Connections are those of a port, and here is none.
    expect(new Set([...names, '`cerise_connections`'])).toEqual(documented);
    // Every line is one that Prometheus reads.
    for (const line of body.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{.*\})? [-+.\deE]+)$/);
    // It keeps this label for summaries, and here is none.
    expect(body).not.toMatch(/[{,]quantile=/);
  });
});
