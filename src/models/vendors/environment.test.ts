import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findEnvironmentProviders } from './environment.ts';
import { vendorOf, vendors } from './vendors.ts';

describe('keys in the environment', () => {
  it('make a provider of every vendor whose key is there', () => {
    const found = findEnvironmentProviders({
      GROQ_API_KEY: ' g-key ',
      GOOGLE_GENERATIVE_AI_API_KEY: 'other',
      GEMINI_API_KEY: 'gemini',
      ANTHROPIC_API_KEY: '',
      MISTRAL_API_KEY: '  ',
      PATH: '/bin',
    });
    expect(found).toMatchObject([
      { name: 'google', kind: 'google', apiKey: 'gemini' },
      { name: 'groq', baseUrl: 'https://api.groq.com/openai/v1', apiKey: 'g-key' },
    ]);
  });

  it.each([
    [{ OPENAI_BASE_URL: 'https://proxy.example/v1/' }, 'https://proxy.example/v1'],
    [{ OPENAI_BASE_URL: 'no address' }, 'https://api.openai.com/v1'],
    [{ OPENAI_BASE_URL: 'file:///etc' }, 'https://api.openai.com/v1'],
    [{}, 'https://api.openai.com/v1'],
  ])('go where they belong: %j', (env, baseUrl) => {
    const found = findEnvironmentProviders({ OPENAI_API_KEY: 'k', ...env });
    expect(found).toMatchObject([{ name: 'openai', baseUrl }]);
  });

  it('of a vendor without an address of its own count when one is given', () => {
    const key = { AZURE_OPENAI_API_KEY: 'k' };
    const AZURE_OPENAI_BASE_URL = 'https://mine.openai.azure.com/openai/v1/';
    expect(findEnvironmentProviders(key)).toEqual([]);
    expect(findEnvironmentProviders({ ...key, AZURE_OPENAI_BASE_URL })).toMatchObject([
      { name: 'azure', baseUrl: 'https://mine.openai.azure.com/openai/v1' },
    ]);
  });

  it('of Anthropic may name an address without the version', () => {
    const at = (url: string) =>
      findEnvironmentProviders({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url })[0]?.baseUrl;
    expect(at('https://proxy.example/anthropic')).toBe('https://proxy.example/anthropic/v1');
    expect(at('https://proxy.example/v1')).toBe('https://proxy.example/v1');
  });
});

describe('who is behind a provider', () => {
  it.each([
    ['openai-compatible', 'https://api.deepseek.com/v1', 'deepseek'],
    ['openai-compatible', 'https://api.openai.com/v1', 'openai-chat'],
    ['openai-compatible', 'http://localhost:11434/v1', 'ollama'],
    ['openai-compatible', 'https://api.anthropic.com/v1', 'openai-compatible'],
    ['openai-compatible', 'https://deepseek.example/v1', 'openai-compatible'],
    ['openai-compatible', 'no address', 'openai-compatible'],
    ['never-heard-of', 'http://127.0.0.1:5/v1', 'openai-compatible'],
    ['groq', 'https://api.deepseek.com/v1', 'groq'],
  ])('is known by its kind or its address: %s %s', (kind, baseUrl, name) => {
    expect(vendorOf({ kind, baseUrl }).name).toBe(name);
  });
});

describe('the data of vendors', () => {
  it('has each name and each variable once, and addresses that can be used', () => {
    const names = vendors.map(({ name }) => name);
    const variables = vendors.flatMap(({ keyVariables }) => keyVariables);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(variables).size).toBe(variables.length);
    for (const { name, baseUrl, keysUrl, ports } of vendors) {
      expect(name).toMatch(/^[a-z0-9][a-z0-9._-]{0,49}$/);
      const given = ['openai-compatible', 'azure', 'azure-chat'].includes(name);
      expect(URL.canParse(baseUrl ?? '')).toBe(!given);
      if (!ports && baseUrl) expect(baseUrl).toMatch(/^https:.*[^/]$/);
      if (!ports && name !== 'openai-compatible') expect(keysUrl).toMatch(/^https:/);
    }
  });

  it('is all in docs/models.md: each kind, and each variable that may hold a key', () => {
    const text = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8');
    const names = vendors.flatMap(({ name, keyVariables }) => [name, ...keyVariables]);
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
