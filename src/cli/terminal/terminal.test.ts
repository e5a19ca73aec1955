import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { askApproval } from './ask-approval.ts';
import { charsetOf } from './terminal-charset.ts';
import { Terminal } from './terminal.ts';
import { screenRows } from './text-width.ts';

/** A screen of so many rows and columns. */
function screenOf(rows: number, columns: number) {
  return Object.assign(new PassThrough().setEncoding('utf8'), { rows, columns });
}

/** Answers what is asked about such arguments with these lines, and says what was on the screen before each. */
async function asked(args: Record<string, string>, lines: string[]) {
  const keys = new PassThrough();
  const screen = screenOf(20, 80);
  const terminal = new Terminal(keys, screen, true);
  keys.end(lines.map((line) => `${line}\n`).join(''));
  const call = { serverName: 'bank', toolName: 'pay', arguments: args };
  const said = await askApproval(terminal, call);
  return { ...said, shown: String(screen.read()) };
}

describe('T84: a long call in the terminal', () => {
  const long = { command: `${'echo hello; '.repeat(800)}rm -rf /` };

  it('is asked about only after its last page', async () => {
    const { decision, shown } = await asked(long, ['y', 'y', 'y']);
    // Each yes turned a page; nobody has seen the end.
    expect(decision).toBe('deny');
    expect(shown).toMatch(/-- more lines: \d+\. \[Enter\] next page, \[a\]ll, \[q\]uit --/);
    expect(shown).not.toContain('rm -rf /');
    expect(shown).not.toContain('[y]es, for this');
  });

  it('can be shown at once and approved then', async () => {
    const { decision, shown } = await asked(long, ['', 'a', 'y']);
    expect(decision).toBe('approve');
    const text = shown.replaceAll(/-- more.*?-- |\n/g, '');
    expect(text.includes(JSON.stringify(long.command))).toBe(true);
  });

  it('is not approved by who stops reading', async () => {
    expect((await asked(long, ['q', 'y'])).decision).toBe('deny');
  });

  it('that is short is asked about at once', async () => {
    expect((await asked({ a: 'b' }, ['y'])).decision).toBe('approve');
  });

  it('shows what draws nothing, and nothing that acts on the terminal', async () => {
    const hostile = 'ls\u001B[2J\u202E\u034F\u2800\u17B4\u{E0072}\u{E006D}⟨U+202E⟩ pаypal';
    const { shown } = await asked({ a: hostile, ['k\u200B']: ' ' }, ['n']);
    expect(shown).toContain(
      '"ls\\u001b[2J⟨U+202E⟩⟨U+034F U+2800 U+17B4⟩⟨tags “rm”⟩⟨U+27E8⟩U+202E⟩ pаypal⟨Latin + Cyrillic⟩"',
    );
    expect(shown).toContain('k⟨U+200B⟩');
    expect(shown).not.toMatch(/\p{Bidi_Control}/u);
    expect(shown).not.toContain('\u001B[2J');
  });
});

describe('T84: the word on a call', () => {
  const call = { serverName: 'bank', toolName: 'pay', arguments: { to: 'mallory' } };

  it.each(['and then tell me', 'yes, but only tomorrow', 'then', 'go on', 'he said', 'yy', 'y n'])(
    'is not given by %j, whatever that begins with',
    async (line) => {
      expect((await asked({ a: 'b' }, [line])).decision).toBe('deny');
    },
  );

  it('is not what was typed before the call was shown', async () => {
    const keys = Object.assign(new PassThrough(), { isTTY: true });
    const screen = new PassThrough().setEncoding('utf8');
    const terminal = new Terminal(keys, screen, true);
    keys.write('y\nalways\n');
    let shown = '';
    screen.on('data', (text: string) => {
      const before = shown;
      shown += text;
      if (!before.includes('[N]o') && shown.includes('[N]o')) keys.write('n\n');
    });
    expect((await askApproval(terminal, call)).decision).toBe('deny');
    expect(shown).toContain('mallory');
  });

  it('is asked for in ASCII where the terminal reads another charset', async () => {
    const keys = new PassThrough();
    const screen = new PassThrough().setEncoding('utf8');
    const terminal = new Terminal(keys, screen, true, { charset: 'ascii' });
    keys.end('n\n');
    // In Latin-1 the second byte of ě begins a command, and one of ⟨ hides all that follows.
    const args = { a: 'pay ě2K\u202Emallory 你' };
    await askApproval(terminal, { ...call, arguments: args });
    const shown = String(screen.read());
    expect(shown).not.toMatch(/[^\0-\u007F]/u);
    expect(shown).toContain('"pay <U+011B>2K<U+202E>mallory <U+4F60>"');
  });

  it.each([
    [{}, 'utf-8'],
    [{ LANG: 'zh_CN.UTF-8' }, 'utf-8'],
    [{ LANG: 'en_US.utf8', LC_ALL: '' }, 'utf-8'],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'ascii'],
    [{ LC_CTYPE: 'de_DE.ISO-8859-1' }, 'ascii'],
    [{ LANG: 'zh_CN.GB18030' }, 'ascii'],
  ] as const)('knows from %j that a terminal reads %s', (env, charset) => {
    expect(charsetOf(env)).toBe(charset);
  });
});

describe('screenRows', () => {
  it('cuts where the screen ends, wide characters counted twice', () => {
    expect(screenRows('abcdef\n\ng', 4)).toEqual(['abcd', 'ef', '', 'g']);
    expect(screenRows('你好世界', 5)).toEqual(['你好', '世界']);
    expect(screenRows('', 5)).toEqual(['']);
    expect(screenRows('𠀀𠀀𠀀', 4)).toEqual(['𠀀𠀀', '𠀀']);
  });

  it('T84: counts a tab for what it takes, so that no page runs off the screen', () => {
    expect(screenRows('a\tb\tc', 16)).toEqual(['a\tb\t', 'c']);
    expect(screenRows('1234567\tx', 8)).toEqual(['1234567\t', 'x']);
  });
});

it('lets what was typed be erased on a dumb terminal', async () => {
  vi.stubEnv('TERM', 'dumb');
  onTestFinished(() => void vi.unstubAllEnvs());
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  const terminal = new Terminal(keys, Object.assign(new PassThrough(), { isTTY: true }), true);
  const said = terminal.dialogue((dialogue) => dialogue.question('> '));
  for (const key of 'wrong\u0015ab好\u007fc\b\b\b\bd\r') keys.write(key);
  expect(await said).toBe('d');
});
