import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

it('imports servers from a file as drafts, and exports them without secrets', async () => {
  const { home } = await freshPlace();
  const file = join(home, 'settings.json');
  const shop = { command: 'shop', args: ['\u202e--flag'], env: { KEY: '${KEY}' } };
  await writeFile(file, `{"mcpServers": {"shop": ${JSON.stringify(shop)}, "bad": {}}} // mine`);
  const mcp = (...args: string[]) => run(['mcp', ...args], { CERISE_HOME: home });
  const dry = await mcp('import', file, '--dry-run');
  expect(dry.code).toBe(1);
  expect(dry.stdout).toMatch(/shop: would be added\.\n {2}command +shop/);
  expect(dry.stdout).toMatch(/bad: not added\. Enter a command/);
  expect(dry.stdout).toContain('Value needed: KEY');
  expect(dry.stdout).not.toMatch(/\p{Bidi_Control}/u);
  const done = await mcp('import', file, '--answer', 'KEY=s3cret-value');
  expect(done.stdout).toContain('mcp approve shop');
  const { stdout } = await mcp('export', '--format', 'claude');
  expect(JSON.parse(stdout)).toEqual({ mcpServers: { shop: { type: 'stdio', ...shop } } });
  expect(stdout).not.toContain('s3cret');
  expect((await mcp('import', join(home, 'none.json'))).stderr).toMatch(/^cerise: [^\n]+\n$/);
});
