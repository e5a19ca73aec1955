// Starts processes: whether a host keeps its servers in a sandbox is seen from inside them.
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import { canConfine } from './bubblewrap.ts';
import { describeOnSqlite } from './databases.ts';
import { openHost, owner } from './host.ts';

const script = join(import.meta.dirname, 'fakes/prying-server.ts');

/** A prying server, approved; its script lies in the folder that is its own. */
async function addPrying(host: Host, home: string, more: object = {}) {
  const config = { name: 'pry', command: process.execPath, args: ['prying-server.ts'], ...more };
  const { id, launchHash } = await host.servers.add(owner, { ...config, autoApprove: ['*'] });
  const own = join(home, 'servers', id);
  mkdirSync(own, { recursive: true });
  copyFileSync(script, join(own, 'prying-server.ts'));
  await host.servers.approve(owner, id, launchHash);
  const pry = async (attempt: Record<string, unknown>) => {
    const tool = await host.servers.tool(owner, id, 'pry');
    const signal = AbortSignal.timeout(20_000);
    const { content } = await tool.execute(
      attempt as never,
      { callId: `${Math.random()}`, signal } as never,
    );
    return content[0]?.type === 'text' ? content[0].text : '';
  };
  return { id, own, pry };
}

describeOnSqlite((_open, fresh) => {
  async function start(options: { bubblewrap?: false } = {}) {
    const place = await fresh();
    const host = await openHost(place, options);
    onTestFinished(() => host.close());
    return { host, home: place.home };
  }

  describe.skipIf(!canConfine())('a host that can confine', () => {
    it('keeps every local server from its data, and gives each a folder of its own', async () => {
      const { host, home } = await start();
      const [one, two] = [await addPrying(host, home), await addPrying(host, home)];
      expect(existsSync(join(home, 'secret.key'))).toBe(true);
      expect(await one.pry({ read: join(home, 'secret.key') })).toMatch(/^refused: .*ENOENT/);
      expect(await one.pry({ list: two.own })).toMatch(/^refused: /);
      expect(await one.pry({ list: home })).toBe('got servers');
      expect(await one.pry({ list: '.' })).toBe('got prying-server.ts');
      expect(await host.contents.diagnose(owner, one.id)).toMatchObject({
        access: { files: 'everything', network: true },
        sandbox: { works: true },
      });
    });

    it('takes a narrower access at once, and a wider one when it was approved', async () => {
      const { host, home } = await start();
      const server = await addPrying(host, home);
      expect(await server.pry({ list: '/home' })).toMatch(/^got/);
      const access = { files: 'own', network: false };
      const narrowed = await host.servers.update(owner, server.id, { access });
      expect(narrowed.state).toBe('idle');
      expect(await server.pry({ list: '/home' })).toMatch(/^refused: /);
      expect((await host.servers.update(owner, server.id, { access: null })).state).toBe('draft');
      await expect(server.pry({ list: '/home' })).rejects.toMatchObject({
        code: 'server_not_approved',
      });
    });

    it('removes the folder of a server with it', async () => {
      const { host, home } = await start();
      const { id } = await addPrying(host, home);
      await host.servers.remove(owner, id);
      expect(readdirSync(join(home, 'servers'))).toEqual([]);
    });
  });

  describe('a host that cannot confine', () => {
    it('starts servers all the same, and says that nothing is enforced', async () => {
      const { host, home } = await start({ bubblewrap: false });
      const server = await addPrying(host, home, { access: { files: 'own', network: false } });
      expect(await server.pry({ list: home })).toContain('secret.key');
      expect((await host.contents.diagnose(owner, server.id)).sandbox).toMatchObject({
        works: false,
        reason: "bubblewrap isn't installed.",
      });
      expect(host.servers.logs(owner, server.id).join('\n')).toContain('not confined');
    });

    it('starts none where an admin demands the sandbox, until that is taken back', async () => {
      const { host, home } = await start({ bubblewrap: false });
      const server = await addPrying(host, home);
      await host.settings.set(owner, { fetchAllow: [], requireSandbox: true });
      await expect(server.pry({ list: '.' })).rejects.toMatchObject({
        code: 'sandbox_missing',
        message: expect.stringContaining("bubblewrap isn't installed."),
        hint: expect.stringContaining('Install bubblewrap'),
      });
      const { state, reason } = host.servers.get(owner, server.id);
      expect([state, reason]).toEqual(['failed', expect.stringContaining('sandbox')]);
      await host.settings.set(owner, { fetchAllow: [], requireSandbox: false });
      expect(await server.pry({ list: '.' })).toMatch(/^got /);
    });
  });
});
