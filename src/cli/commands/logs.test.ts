import { describe, expect, it } from 'vitest';
import { run, startCommand, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

describe('cerise logs', () => {
  it('prints the last lines of the running host, by their level, and new ones as they come', async () => {
    const { home } = await freshPlace();
    const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0', CERISE_LOG_LEVEL: 'info' };
    await startServer(env);
    await run(['chat', 'What is 6*7?'], env);
    const { stdout } = await run(['logs'], env);
    expect(stdout).toMatch(/^\d{4}-\S+Z INFO calculator \/ calculate: sent /m);
    expect(stdout).toMatch(/ INFO Answer ended \(success\) after \d+ ms \{/);
    const json = (await run(['logs', '--json'], env)).stdout.trim().split('\n');
    expect(json.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'calculator / calculate: sent' }),
    );
    expect((await run(['logs', '--level', 'error'], env)).stdout).toBe('');
    const following = startCommand(['logs', '--follow'], env);
    await following.says(/Answer ended/);
    await run(['chat', 'What is 7*7?'], env);
    await following.says(/Answer ended[^]*Answer ended/);
    following.signal('SIGINT');
    expect(await following.ended).toBe(0);
  });

  it('says so where no host runs, or the level is none', async () => {
    const { home } = await freshPlace();
    expect(await run(['logs'], { CERISE_HOME: home })).toMatchObject({ code: 1 });
    expect(await run(['logs', '--level', 'loud'], { CERISE_HOME: home })).toMatchObject({
      code: 2,
    });
  });
});
