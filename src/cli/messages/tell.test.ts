import { describe, expect, it, onTestFinished } from 'vitest';
import { say } from '#shared/errors/sentence.ts';
import { charsetOf } from '../terminal/terminal-charset.ts';
import { programName, publicName } from './program-name.ts';
import { languageOf, speakAs, tell, tellError } from './tell.ts';

describe('the language of the terminal', () => {
  it.each([
    [{}, 'en'],
    [{ LANG: 'en_US.UTF-8' }, 'en'],
    [{ LANG: 'C' }, 'en'],
    [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
    [{ LANG: 'zh_CN.utf8' }, 'zh'],
    [{ LANG: 'zh_CN' }, 'zh'],
    [{ LANG: 'zh-Hans' }, 'zh'],
    [{ LANG: 'zh_CN.GBK' }, 'en'],
    [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'zh_CN.UTF-8' }, 'zh'],
    [{ LANG: 'zh_CN.UTF-8', LC_MESSAGES: 'de_DE.UTF-8' }, 'en'],
    [{ LC_MESSAGES: 'de_DE.UTF-8', LC_ALL: 'zh_CN.UTF-8' }, 'zh'],
    [{ LC_ALL: '', LANG: 'zh_CN.UTF-8' }, 'zh'],
    [{ LC_ALL: 'zh_CN.UTF-8', CERISE_LANG: 'en' }, 'en'],
    [{ LC_ALL: 'C', CERISE_LANG: 'zh' }, 'zh'],
  ] as const)('by %j is %s', (env, language) => {
    expect(languageOf(env)).toBe(language);
  });

  it('can be shown by the terminal where it is Chinese', () => {
    expect(charsetOf({ LANG: 'C', CERISE_LANG: 'zh' })).toBe('utf-8');
    expect(charsetOf({ LANG: 'zh_CN' })).toBe('utf-8');
    expect(charsetOf({ LANG: 'zh_CN.GBK' })).toBe('ascii');
  });

  it('is that of sentences of the host and of its own, one in the other', () => {
    const inner = say('server-gone')`This server doesn't exist.`;
    const words = say('cli-note')`Note: ${inner}`;
    onTestFinished(() => speakAs(process.env));
    speakAs({});
    expect(tell(words)).toBe("Note: This server doesn't exist.");
    speakAs({ LANG: 'zh_CN.UTF-8' });
    expect(tell(words)).toBe('注意：这个服务器不存在。');
    expect(tell(say('of-a-newer-host')`New.`)).toBe('New.');
    expect(tell('words of a server')).toBe('words of a server');
  });
});

describe('the name of the program', () => {
  it.each([
    ['/usr/local/bin/cerise', {}, 'cerise'],
    ['/home/a/app/node_modules/.bin/cerise', {}, 'npx cerise'],
    ['/home/a/cerise/bin/cerise.mjs', { npm_execpath: '/npm-cli.js' }, 'npx cerise'],
    ['/app/bin/cerise.mjs', {}, 'node /app/bin/cerise.mjs'],
  ])('where %s was started with %j is one that works there', (script, env, name) => {
    expect(programName(script, env)).toBe(name);
  });

  it('has no path of this machine where everyone reads it', () => {
    expect(publicName('cerise')).toBe('cerise');
    expect(publicName('npx cerise')).toBe('npx cerise');
    expect(publicName('node /home/ann/cerise/bin/cerise.mjs')).toBe('npx cerise');
  });

  it('is in every command that an error names', () => {
    const name = programName();
    const message = 'Usage: cerise mcp add.';
    const hint = 'Start Cerise or run "cerise secrets rotate".';
    expect(name).not.toBe('cerise');
    expect(tellError({ message, hint })).toBe(
      `Usage: ${name} mcp add. Start Cerise or run "${name} secrets rotate".`,
    );
    expect(tellError({ message: 'The file cerise.db of cerise is gone.' })).toBe(
      'The file cerise.db of cerise is gone.',
    );
  });

  it('says of a failure of a model what its vendor said', () => {
    const details = { vendorMessage: 'Ask cerise mcp.' };
    expect(tellError({ message: 'Refused.', details })).toBe('Refused. Ask cerise mcp.');
  });
});
