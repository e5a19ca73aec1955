import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { run, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

/** `cerise mcp …` on a data folder of its own. */
async function start(env: Record<string, string> = {}) {
  const { home } = await freshPlace();
  const mcp = (...args: string[]) =>
    run(['mcp', ...args], { CERISE_HOME: home, CERISE_DEMO_PACE: '0', ...env });
  const view = async (...args: string[]) => {
    const { stdout, stderr } = await mcp(...args, '--json');
    expect(stderr).toBe('');
    return JSON.parse(stdout) as ServerView & { config: Record<string, unknown> };
  };
  return { mcp, view };
}

const command = ['--', process.execPath, '-e', '0'];

describe('the fields of a server in the terminal', { timeout: 60_000 }, () => {
  it('include a logo from a file, if that is an image', async () => {
    const { mcp, view } = await start();
    const { home } = await freshPlace();
    const put = async (name: string, data: string | Buffer) => {
      await writeFile(join(home, name), data);
      return join(home, name);
    };
    const svg = await put(
      'a.svg',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    );
    expect(await mcp('add', 'files', ...command)).toMatchObject({ code: 0 });
    const drawn = await view('edit', 'files', '--logo', svg);
    expect(drawn.config['logo']).toMatch(/^data:image\/svg\+xml;base64,/);
    const large = Buffer.alloc(60_000);
    large.write('\u0089PNG\r\n', 'latin1');
    const wrong = [
      await put('b.png', 'no image'),
      await put('c.png', large),
      home,
      join(home, 'nothing.png'),
      'https://example.com/logo.png',
      'data:text/html,<p>',
    ];
    for (const word of wrong) {
      const { code, stderr } = await mcp('edit', 'files', '--logo', word);
      expect(code).toBe(2);
      expect(stderr).toContain("can't be used as a logo");
    }
    const png = await put('d.png', Buffer.from('89504e470d0a1a0a00', 'hex'));
    const edited = await view('edit', 'files', '--logo', png);
    expect(edited.config['logo']).toMatch(/^data:image\/png;base64,/);
  });

  it('can all be set when it is added', async () => {
    const { mcp } = await start({ TOKEN: 'from-outside' });
    const fields = ['--description', 'Files', '--timeout', '90', '--long-running'];
    const more = ['--total-timeout', '900', '--start-timeout', '45', '--log-level', 'warning'];
    const lists = ['--tag', 'a', '--tag', 'b', '--root', '/tmp', '--disabled-tool', 'rm'];
    const run = ['--cwd', '/tmp', '--registry-url', 'https://npm.example/', '--secret', 'TOKEN'];
    const all = [
      ...fields,
      ...more,
      ...lists,
      ...run,
      '--logo',
      'data:image/png;base64,AA==',
      '--env',
      'A=b=c',
    ];
    const added = await mcp('add', 'files', ...all, '--json', ...command);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).not.toContain('from-outside');
    const { config } = JSON.parse(added.stdout) as ServerView;
    expect(config).toMatchObject({
      description: 'Files',
      timeout: 90,
      longRunning: true,
      totalTimeout: 900,
      startTimeout: 45,
      logLevel: 'warning',
      tags: ['a', 'b'],
      roots: ['/tmp'],
      disabledTools: ['rm'],
      cwd: '/tmp',
      registryUrl: 'https://npm.example/',
      logo: 'data:image/png;base64,AA==',
      secrets: { TOKEN: expect.any(String) as string },
      env: { A: expect.any(String) as string },
    });
  });

  it('can be changed and removed one by one, and the rest stays', async () => {
    const { mcp, view } = await start();
    await mcp('add', 'files', '--env', 'A=1', '--env', 'B=2', '--timeout', '90', ...command);
    const changed = await view('edit', 'files', '--env', 'B=3', '--env', 'C=4', '--name', 'docs');
    expect(changed.name).toBe('docs');
    expect(Object.keys(changed.config['env'] as object)).toEqual(['A', 'B', 'C']);
    const less = await view('edit', 'docs', '--unset', 'timeout', '--unset', 'env.A');
    expect(less.config).not.toHaveProperty('timeout');
    expect(Object.keys(less.config['env'] as object)).toEqual(['B', 'C']);
    const none = await view('edit', 'docs', '--unset', 'env', '--no-long-running');
    expect(none.config).toMatchObject({ env: {}, longRunning: false, args: ['-e', '0'] });
  });

  it('ask for approval again where they change what is run', async () => {
    const { mcp } = await start();
    await mcp('add', 'files', ...command);
    await mcp('approve', 'files', '--yes');
    const kept = await mcp('edit', 'files', '--description', 'Mine');
    expect(kept).toMatchObject({ code: 0, stdout: 'Saved files.\n' });
    const { code, stdout } = await mcp('edit', 'files', '--', process.execPath, '-e', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Saved files\. It needs approval[^\n]*mcp approve files\n$/);
  });

  it('attach a server to an assistant or a chat', async () => {
    const { home } = await freshPlace();
    const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0' };
    const server = await startServer(env);
    const target = ['--url', 'https://mcp.example/mcp', '--disabled', '--json'];
    const add = (...args: string[]) => run(['mcp', 'add', ...args, ...target], env);
    for (const [kind, path] of [
      ['assistant', '/api/assistants'],
      ['topic', '/api/topics'],
    ] as const) {
      const body = kind === 'assistant' ? { name: 'Clerk' } : {};
      const { id } = await server.json<{ id: string }>('POST', path, body);
      const { stdout } = await add(`of-${kind}`, `--${kind}`, id);
      expect(JSON.parse(stdout)).toMatchObject({ attachedTo: { [kind]: id }, state: 'disabled' });
    }
    const byName = JSON.parse((await add('by-name', '--assistant', 'clerk')).stdout) as ServerView;
    expect(byName.attachedTo).toHaveProperty('assistant');
    const { stdout: list } = await run(['mcp', 'list'], env);
    expect(list).toMatch(/^of-assistant .* assistant Clerk /m);
    expect(list).toMatch(/^of-topic .* chat [0-9a-f-]{36} /m);
    const unknown = await add('x', '--assistant', 'Clark');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('Similar: Clerk');
    const text = JSON.stringify({ mcpServers: { pasted: { url: 'https://mcp.example/sse' } } });
    const file = join(home, 'pasted.json');
    await writeFile(file, text);
    await run(['mcp', 'import', file, '--assistant', 'Clerk'], env);
    const { stdout: then } = await run(['mcp', 'list'], env);
    expect(then).toMatch(/^pasted .* assistant Clerk /m);
    const both = await add('x', '--assistant', 'a', '--topic', 'b');
    expect(both).toMatchObject({ code: 2, stdout: '' });
    const alone = JSON.parse((await add('alone', '--no-shared')).stdout) as ServerView;
    expect(alone).not.toHaveProperty('attachedTo');
    expect(alone.shared).not.toBe(true);
  });

  it('are refused where the type of the server has none', async () => {
    const { mcp } = await start();
    const wrong = await mcp('add', 'web', '--url', 'https://mcp.example/mcp', '--cwd', '/tmp');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain("--cwd isn't available for servers of type streamableHttp.");
    await mcp('add', 'files', ...command);
    const other = await mcp('edit', 'files', '--url', 'https://mcp.example/mcp');
    expect(other).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['nothing to change', ['edit', 'demo']],
    ['a number that is none', ['edit', 'demo', '--timeout', 'soon']],
    ['a number that is too large', ['edit', 'demo', '--timeout', '999999']],
    ['an unknown field', ['edit', 'demo', '--unset', 'frobs']],
    ['a field that every server has', ['edit', 'demo', '--unset', 'name']],
    ['a field that is set and removed', ['edit', 'demo', '--timeout', '1', '--unset', 'timeout']],
    ['JSON that is none', ['edit', 'demo', '--auth', '{']],
    ['both a command and a URL', ['edit', 'demo', '--url', 'https://a.example', '--', 'x']],
  ])('are refused in one line with the usage: %s', async (_, args) => {
    const { mcp } = await start();
    const { code, stdout, stderr } = await mcp(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^cerise: [^\n]+Usage: [^\n]+ mcp edit [^\n]+\n$/);
  });
});
