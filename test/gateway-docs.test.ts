import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCommand } from './fixtures/cerise-in-process.ts';
import { openApi, token } from './fixtures/http.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/gateway.md'), 'utf8');

/** The blocks of code of one language, in order. */
function blocks(language: string): string[] {
  const found = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...found].map(([, text]) => text ?? '');
}

function readHttp(text: string, session: string) {
  const [head = '', body = ''] = text.trim().split('\n\n');
  const [line = '', ...fields] = head.split('\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [name = '', value = ''] = field.split(': ');
      return [name.toLowerCase(), value.replace('KEY', token).replace('SESSION', session)];
    }),
  );
  return { method, path, init: { headers, ...(body && { body }) } };
}

describe('docs/gateway.md', () => {
  it('has requests that work, one after the other', async () => {
    const api = await openApi();
    let session = '';
    const answers: string[] = [];
    for (const block of blocks('http')) {
      const { method, path, init } = readHttp(block, session);
      const response = await api.raw(method, path, init);
      session = response.headers.get('mcp-session-id') ?? session;
      expect(response.ok, block).toBe(true);
      answers.push(await response.text());
    }
    expect(answers[0]).toContain('Asia/Tokyo');
    expect(answers[1]).toContain('"protocolVersion":"2025-11-25"');
    expect(answers[2]).toContain('mcp__time__get_current_time');
    expect(answers).toHaveLength(4);
  });

  it('has settings that programs can read', () => {
    for (const block of blocks('json'))
      expect(JSON.parse(block)).toMatchObject({ mcpServers: { cerise: {} } });
  });

  it('has commands that work', async () => {
    const lines = blocks('sh').join('').trim().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const home = mkdtempSync(join(tmpdir(), 'cerise-gateway-'));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      const env = { CERISE_HOME: home, CERISE_PORT: '0' };
      const command = startCommand(line.split(' ').slice(1), env, 'pipe');
      const clientInfo = { name: 'a program', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      const send = (message: object) =>
        command.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      send({ id: 1, method: 'initialize', params });
      await command.says(/"id":1,"result"/);
      send({ id: 2, method: 'tools/list' });
      await command.says(line.includes('--search') ? /search_tools/ : /get_current_time/);
      command.stdin.end();
      expect(await command.ended).toBe(0);
    }
  });
});
