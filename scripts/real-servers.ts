import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#shared/vocabulary/json.ts';

/** A server on npm, and what of it is tried. */
export interface Subject {
  name: string;
  args?: string[];
  /** What it needs to start; without it, it is tried once too. */
  env?: Record<string, string>;
  needsArgs?: true;
  call?: [tool: string, args: JsonObject];
}

/** What some of them read and write; to be removed in the end. */
export const folder = mkdtempSync(join(tmpdir(), 'cerise-servers-'));
writeFileSync(join(folder, 'note.txt'), 'a note');
const official = '@modelcontextprotocol/server';
const made = 'made-up-for-this-test';

/** Servers that start without a service elsewhere; their keys are made up. */
export const subjects: Subject[] = [
  { name: `${official}-everything`, call: ['echo', { message: 'hi' }] },
  {
    name: `${official}-filesystem`,
    args: [folder],
    call: ['read_text_file', { path: join(folder, 'note.txt') }],
  },
  {
    name: `${official}-memory`,
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    call: ['read_graph', {}],
  },
  {
    name: `${official}-sequential-thinking`,
    call: [
      'sequentialthinking',
      { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    ],
  },
  { name: `${official}-map`, args: ['--stdio'], needsArgs: true, call: ['show-map', {}] },
  {
    name: `${official}-system-monitor`,
    args: ['--stdio'],
    needsArgs: true,
    call: ['get-system-info', {}],
  },
  { name: `${official}-github`, env: { GITHUB_PERSONAL_ACCESS_TOKEN: made } },
  { name: `${official}-gitlab`, env: { GITLAB_PERSONAL_ACCESS_TOKEN: made } },
  { name: `${official}-slack`, env: { SLACK_BOT_TOKEN: made, SLACK_TEAM_ID: made } },
  { name: `${official}-brave-search`, env: { BRAVE_API_KEY: made } },
  { name: `${official}-google-maps`, env: { GOOGLE_MAPS_API_KEY: made } },
  { name: `${official}-everart`, env: { EVERART_API_KEY: made } },
  {
    name: `${official}-postgres`,
    args: ['postgres://127.0.0.1:9/none'],
    needsArgs: true,
    call: ['query', { sql: 'select 1' }],
  },
  { name: `${official}-redis` },
  { name: '@playwright/mcp', call: ['browser_tabs', { action: 'list' }] },
  { name: '@eslint/mcp', call: ['lint-files', { filePaths: [join(folder, 'note.txt')] }] },
  { name: '@upstash/context7-mcp' },
  { name: '@notionhq/notion-mcp-server' },
  { name: '@antv/mcp-server-chart' },
  { name: '@brave/brave-search-mcp-server', env: { BRAVE_API_KEY: made } },
  { name: '@perplexity-ai/mcp-server', env: { PERPLEXITY_API_KEY: made } },
  { name: '@supabase/mcp-server-supabase', env: { SUPABASE_ACCESS_TOKEN: made } },
  { name: '@stripe/mcp', env: { STRIPE_SECRET_KEY: `sk_test_${made}` } },
  { name: '@hubspot/mcp-server', env: { PRIVATE_APP_ACCESS_TOKEN: made } },
  { name: '@benborla29/mcp-server-mysql' },
  { name: 'mongodb-mcp-server' },
  { name: 'chrome-devtools-mcp' },
  { name: 'mcp-server-kubernetes' },
  { name: 'mcp-hello-world', call: ['echo', { message: 'hi' }] },
  {
    name: 'mcp-server-code-runner',
    call: ['run-code', { code: 'console.log(42)', languageId: 'javascript' }],
  },
  { name: 'tavily-mcp', env: { TAVILY_API_KEY: made } },
  { name: 'airtable-mcp-server', env: { AIRTABLE_API_KEY: made } },
  { name: 'linear-mcp-server', env: { LINEAR_API_KEY: made } },
  { name: 'figma-developer-mcp', args: ['--stdio'], needsArgs: true, env: { FIGMA_API_KEY: made } },
  { name: 'firecrawl-mcp' },
  { name: 'exa-mcp-server' },
  { name: 'mcp-searxng' },
  { name: '@mapbox/mcp-server' },
  { name: '@circleci/mcp-server-circleci' },
  { name: '@pinecone-database/mcp' },
  { name: '@brightdata/mcp', env: { API_TOKEN: made } },
  { name: '@bytebase/dbhub', args: ['--demo'], needsArgs: true },
  { name: '@roychri/mcp-server-asana', env: { ASANA_ACCESS_TOKEN: made } },
  { name: '@amap/amap-maps-mcp-server', env: { AMAP_MAPS_API_KEY: made } },
  { name: '@launchdarkly/mcp-server', args: ['start'], needsArgs: true },
  { name: 'mcp-remote', args: ['http://127.0.0.1:9/mcp'], needsArgs: true },
];
