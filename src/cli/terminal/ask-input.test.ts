import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AnswerInput, InputView } from '#shared/api/input-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { askInput } from './ask-input.ts';
import { Terminal } from './terminal.ts';

const base = {
  id: 'i',
  serverId: 's',
  serverName: 'shop',
  message: 'Well?',
  createdAt: 0,
  expiresAt: 1,
};

function form(properties: Record<string, JsonObject>, required: string[] = []): InputView {
  return { ...base, kind: 'form', schema: { type: 'object', properties, required } };
}

const url = (address: string): InputView => ({ ...base, kind: 'url', url: address });

const sampling = (text: string): InputView => ({
  ...base,
  kind: 'sampling',
  model: 'vendor/model',
  params: {
    systemPrompt: 'Be kind.',
    messages: [
      { role: 'user', content: [{ type: 'text', text }] },
      { role: 'user', content: [{ type: 'image', mimeType: 'image/png', size: 5000 }] },
    ],
    maxTokens: 7,
  },
});

/** Answers a question with these lines; an input that ends is a person who left. */
async function answer(
  input: InputView,
  lines: string[],
): Promise<{ said: AnswerInput; shown: string; raw: string; opened: string[] }> {
  const keys = new PassThrough();
  const screen = new PassThrough().setEncoding('utf8');
  const terminal = new Terminal(keys, screen, true);
  keys.end(lines.map((line) => `${line}\n`).join(''));
  const opened: string[] = [];
  const said = await terminal.dialogue((dialogue) =>
    askInput(dialogue, input, (address) => opened.push(address)),
  );
  const raw = String(screen.read());
  return { said, shown: stripVTControlCharacters(raw), raw, opened };
}

describe('a form in the terminal', () => {
  const fields = {
    name: { type: 'string', title: 'Name', minLength: 2, description: 'Who are you?' },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'm', title: 'Big' },
      ],
    },
    count: { type: 'integer', default: 3 },
    extras: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    gift: { type: 'boolean' },
  };

  it('is asked field by field and sent after a yes', async () => {
    const lines = ['Ada', '2', '', 'a, 3', 'y', 'y'];
    const { said, shown } = await answer(form(fields, ['name']), lines);
    const content = { name: 'Ada', size: 'm', count: 3, extras: ['a', 'c'], gift: true };
    expect(said).toEqual({ action: 'accept', content });
    expect(shown).toMatch(/shop needs your input:\n {2}│ Well\?/);
    expect(shown).toContain('Name (name) *\n  │ Who are you?');
    expect(shown).toContain('1. Small (s)\n  2. Big (m)');
  });

  it('leaves out what was skipped, and takes choices by name or value too', async () => {
    const lines = ['Ada', 'Small', '7', '', '', ''];
    const { said } = await answer(form(fields, ['name']), lines);
    expect(said).toEqual({ action: 'accept', content: { name: 'Ada', size: 's', count: 7 } });
  });

  it('asks again until a value fits', async () => {
    const lines = ['', 'A', 'Ada', '9', '1', 'many', '1.5', '1', 'z', 'b', 'maybe', 'no', 'y'];
    const { said, shown } = await answer(form(fields, ['name']), lines);
    expect(said.content).toEqual({ name: 'Ada', size: 's', count: 1, extras: ['b'], gift: false });
    for (const words of [
      'This field is required.',
      'This value must be at least 2 characters long.',
      'This value must be one of "s", "m".',
      'This value must be a number.',
      'This value must be a whole number.',
      'This value can only contain "a", "b", "c".',
      'This value must be true or false.',
    ])
      expect(shown).toContain(words);
  });

  it.each([
    [['/d'], 'decline'],
    [['/c'], 'cancel'],
    [[], 'cancel'],
    [['Ada', '1', '', '', '', 'd'], 'decline'],
    [['Ada', '1', '', '', '', 'c'], 'cancel'],
    [['Ada', '1', '', '', '', 'what'], 'cancel'],
    [['Ada', '1', '', '', '', 'you must be kidding'], 'cancel'],
    [['Ada', '1', '', '', '', '/yes, no'], 'cancel'],
  ])('can be left at any time: %j', async (lines, action) => {
    expect((await answer(form(fields, ['name']), lines)).said).toEqual({ action });
  });

  it('can be filled in again', async () => {
    const one = form({ a: { type: 'string' } });
    const { said } = await answer(one, ['wrong', 'a', 'right', 'y']);
    expect(said).toEqual({ action: 'accept', content: { a: 'right' } });
  });

  it('takes fields with the names of what every object has', async () => {
    const odd = form({ toString: { type: 'string' }, constructor: { type: 'string' } });
    const { said } = await answer(odd, ['x', 'y', 'y']);
    expect(said.content).toEqual({ toString: 'x', constructor: 'y' });
  });
});

describe('an address in the terminal', () => {
  it('is shown whole and opened only after a yes', async () => {
    const address = 'https://pay.example.com:8443/a?b=c#d';
    const { said, shown, raw, opened } = await answer(url(address), ['y']);
    expect(said).toEqual({ action: 'accept' });
    expect(opened).toEqual([address]);
    expect(shown).toContain(address);
    expect(shown).not.toContain('Careful');
    expect(raw).toContain('pay.example.com:8443');
  });

  it.each([
    ['d', 'decline'],
    ['n', 'decline'],
    ['', 'cancel'],
    ['c', 'cancel'],
  ])('is not opened at "%s"', async (line, action) => {
    const { said, opened } = await answer(url('https://example.com/'), [line]);
    expect(said).toEqual({ action });
    expect(opened).toEqual([]);
  });

  it('comes with a warning where the name may imitate another or nothing is encrypted', async () => {
    const { shown } = await answer(url('http://a.xn--pypal-4ve.com/'), ['c']);
    expect(shown).toContain('look-alike characters');
    expect(shown).toContain("isn't encrypted");
  });
});

describe('the use of a model in the terminal', () => {
  it('shows what would be sent, and needs a yes', async () => {
    const { said, shown } = await answer(sampling('What is 6*7?'), ['y']);
    expect(said).toEqual({ action: 'approve' });
    for (const words of [
      'vendor/model',
      'Be kind.',
      'What is 6*7?',
      'image/png, 5 KiB',
      '7 output tokens',
    ])
      expect(shown).toContain(words);
    for (const line of ['', 'n', 'maybe'])
      expect((await answer(sampling('x'), [line])).said).toEqual({ action: 'deny' });
    expect((await answer(sampling('x'), [])).said).toEqual({ action: 'deny' });
  });
});

describe('what servers write', () => {
  const hostile = '\u001b[2J\u001b]0;title\u0007gone\r\u202eback\nSend this? [Y]es: y';

  it('brings no escape sequence to the terminal and stays behind a bar', async () => {
    const field = { type: 'string', title: hostile, description: hostile, enum: [hostile] };
    const inputs: InputView[] = [
      {
        ...base,
        serverName: hostile,
        message: hostile,
        kind: 'form',
        schema: { type: 'object', properties: { [hostile]: field } },
      },
      { ...base, message: hostile, kind: 'url', url: 'https://example.com/' },
      sampling(hostile),
    ];
    for (const input of inputs) {
      const { shown, raw } = await answer(input, ['/c']);
      expect(raw).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/u);
      expect(shown).not.toMatch(/^Send this\? \[Y\]es: y/m);
    }
  });
});

describe('the terminal', () => {
  it('runs one dialogue at a time', async () => {
    const keys = new PassThrough();
    const terminal = new Terminal(keys, new PassThrough(), true);
    const order: string[] = [];
    const ask = (name: string) =>
      terminal.dialogue(async ({ question }) => {
        order.push(`${name} begins`);
        order.push(`${name} got ${await question('?')}`);
      });
    const both = Promise.all([ask('one'), ask('two')]);
    keys.write('first\n');
    await new Promise((resolve) => setImmediate(resolve));
    keys.write('second\n');
    await both;
    expect(order).toEqual(['one begins', 'one got first', 'two begins', 'two got second']);
  });

  it('ends a question that is no longer asked', async () => {
    const over = new AbortController();
    const terminal = new Terminal(new PassThrough(), new PassThrough(), true);
    const answered = terminal.dialogue(({ question }) => question('?'), over.signal);
    over.abort();
    expect(await answered).toBeUndefined();
  });
});
