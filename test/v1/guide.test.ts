import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { token } from '../fixtures/http.ts';
import { clientsOf, openV1 } from '../fixtures/v1.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/openai.md'), 'utf8');
const blocksOf = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code.trim(),
  );

describe('the guide to OpenAI and Anthropic clients', () => {
  it.each(blocksOf('http'))('has a request that works: %s', async (code) => {
    const api = await openV1([]);
    const [head = '', ...rest] = code.split('\n');
    const [method = '', path = ''] = head.split(' ');
    const body = rest.join('\n').trim();
    const response = await api.send(method, path, body === '' ? undefined : body);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(text).not.toContain('"error":{');
  });

  it('has a program that works', async () => {
    const api = await openV1([]);
    const [code = ''] = blocksOf('js');
    const { fetch } = clientsOf(api);
    class Client extends OpenAI {
      constructor(options: { apiKey: string }) {
        super({ ...options, baseURL: 'http://cerise.test:4310/v1', fetch });
      }
    }
    const program = code.replace(/^import .*$/m, '');
    const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
    const run = AsyncFunction('OpenAI', 'process', program) as (
      ...values: unknown[]
    ) => Promise<string>;
    expect(await run(Client, { env: { CERISE_TOKEN: token } })).toContain('391');
  });

  it('has requests for every route that takes a body', () => {
    const shown = blocksOf('http').map((code) => code.split('\n')[0]);
    for (const path of ['chat/completions', 'responses', 'messages', 'messages/count_tokens'])
      expect(shown).toContain(`POST /v1/${path}`);
  });
});
