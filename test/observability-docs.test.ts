import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from './fakes/otlp-receiver.ts';
import { run, startServer } from './fixtures/cerise-in-process.ts';
import { freshPlace } from './fixtures/http.ts';
import { processToken } from './fixtures/running-command.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/observability.md'), 'utf8');
const lines = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
  text.trim().split('\n'),
);
const usual = 'http://127.0.0.1:4310';

/** The command of the page that has these words. */
function line(words: string): string {
  const [found, ...others] = lines.filter((each) => each.includes(words));
  if (found === undefined || others.length > 0) throw new Error(`no one command has ${words}`);
  return found;
}

/** The variables that stand before `npm start`. */
function variablesOf(command: string): Record<string, string> {
  const [before = ''] = command.split(' npm start');
  const pairs = [...before.matchAll(/(\w+)=("[^"]*"|\S+)/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
}

/** Sends what a command of curl would. */
function curl(command: string, url: string, variables: Record<string, string>): Promise<Response> {
  const filled = Object.entries(variables).reduce(
    (text, [name, value]) => text.replaceAll(`$${name}`, value),
    command.replace(usual, url),
  );
  const words = [...filled.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const given = (option: string) =>
    words.flatMap((word, at) => (word === option ? (words[at + 1] ?? '') : []));
  const [body] = given('-d');
  return fetch(words.find((word) => word.startsWith(url)) ?? '', {
    method: given('-X')[0] ?? 'GET',
    headers: given('-H').map((header) => header.split(': ') as [string, string]),
    ...(body !== undefined && { body }),
  });
}

describe('docs/observability.md', () => {
  it('has commands that open the metrics and change the level of the log', async () => {
    expect(variablesOf(line('CERISE_METRICS_KEY='))).toEqual({
      CERISE_METRICS_KEY: '"$(openssl rand -base64 24)"',
    });
    const { home } = await freshPlace();
    const CERISE_METRICS_KEY = randomBytes(24).toString('base64');
    const { url } = await startServer({ CERISE_HOME: home, CERISE_METRICS_KEY });
    const metrics = await curl(line('/metrics'), url, { CERISE_METRICS_KEY });
    expect(await metrics.text()).toContain('# TYPE cerise_turns_total counter');
    const level = await curl(line('/api/host/logs'), url, { KEY: processToken });
    expect(await level.json()).toMatchObject({ level: 'debug', usual: 'warn' });
  });

  it('has a command that sends traces', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { home } = await freshPlace();
    const variables = variablesOf(line('OTEL_EXPORTER'));
    expect(Object.keys(variables)).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT']);
    const env = { CERISE_HOME: home, OTEL_EXPORTER_OTLP_ENDPOINT: new URL(receiver.url).origin };
    expect(await run(['chat', 'What is 6*7?'], { ...env, CERISE_DEMO_PACE: '0' })).toMatchObject({
      code: 0,
    });
    const names = receiver.spans.map(({ name }) => name);
    for (const name of ['invoke_agent', 'round 1', 'execute_tool calculate', 'round 2'])
      expect(names).toContain(name);
  });
});
