import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import type { Intent } from './skills.ts';
import { findIntents } from './intents.ts';

const time = (place?: string): Intent => ({ kind: 'time', ...(place !== undefined && { place }) });
const list = (path = '.'): Intent => ({ kind: 'list', path });
const read = (path: string): Intent => ({ kind: 'read', path });
const calculate = (expression: string): Intent => ({ kind: 'calculate', expression });

describe('findIntents', () => {
  it.each<[string, Intent[]]>([
    ['What time is it in Tokyo, and what files are in the workspace?', [time('Tokyo'), list()]],
    ['What files are in the workspace and what time is it in Tokyo?', [list(), time('Tokyo')]],
    ['what time is it', [time()]],
    ["What's the time in New York right now?", [time('New York')]],
    ['what time is it in tokyo and paris?', [time('tokyo'), time('paris')]],
    [
      'What time is it in Tokyo, Paris and New York?',
      [time('Tokyo'), time('Paris'), time('New York')],
    ],
    ['Tell me the current time in Europe/Berlin please', [time('Europe/Berlin')]],
    ['What is the time difference?', []],
    ['list the workspace', [list()]],
    ['List the files in notes', [list('notes')]],
    ["What's in the notes folder?", [list('notes')]],
    ['show me all files', [list()]],
    ['Which files are there?', [list()]],
    ['read welcome.md', [read('welcome.md')]],
    [
      'Open data/planets.csv and notes/shopping.txt.',
      [read('data/planets.csv'), read('notes/shopping.txt')],
    ],
    ["what's in welcome.md?", [read('welcome.md')]],
    ['Show me the contents of "说明.md"', [read('说明.md')]],
    [
      'Fetch http://127.0.0.1:8080/page.html.',
      [{ kind: 'fetch', url: 'http://127.0.0.1:8080/page.html' }],
    ],
    [
      'summarise https://example.com/a?b=1, please',
      [{ kind: 'fetch', url: 'https://example.com/a?b=1' }],
    ],
    [
      'Remember that my favourite colour is green.',
      [{ kind: 'remember', fact: 'my favourite colour is green' }],
    ],
    ['What do you remember?', [{ kind: 'recall' }]],
    ['What do you know about Ada?', [{ kind: 'recall', about: 'Ada' }]],
    ['what is 12 * (3+4)', [calculate('12 * (3+4)')]],
    ['What is 12 times 12?', [calculate('12 * 12')]],
    ['calculate 1,200 / 7 + sqrt(16)', [calculate('1200 / 7 + sqrt(16)')]],
    ['What is the square root of 144?', [calculate('sqrt(144)')]],
    ['what is 15% of 80?', [calculate('15 / 100 * 80')]],
    ['And 7*8?', [calculate('7*8')]],
    ['2^100', [calculate('2^100')]],
    ['What happened on 2026-11-15?', []],
    [
      'write "hello world" to notes/hello.txt',
      [{ kind: 'write', path: 'notes/hello.txt', text: 'hello world' }],
    ],
    [
      'Create a file called a.txt with the text hello',
      [{ kind: 'write', path: 'a.txt', text: 'hello' }],
    ],
    [
      'Which planet in data/planets.csv has the most moons?',
      [{ kind: 'rank', path: 'data/planets.csv', column: 'moons', most: true }],
    ],
    [
      'Put milk on the shopping list.',
      [{ kind: 'append', path: 'notes/shopping.txt', line: 'milk' }],
    ],
    ['add tea to notes/a.txt', [{ kind: 'append', path: 'notes/a.txt', line: 'tea' }]],
    ['read the first one', [{ kind: 'pick', position: 0 }]],
    ['Open the last file', [{ kind: 'pick', position: -1 }]],
    ['which of them is the largest?', [{ kind: 'size', smallest: false }]],
    ['Which file is the smallest', [{ kind: 'size', smallest: true }]],
    ['and in Paris?', [{ kind: 'again', subject: 'Paris' }]],
    ['What about London?', [{ kind: 'again', subject: 'London' }]],
    ['what did I ask before?', [{ kind: 'history' }]],
    ['What can you do?', [{ kind: 'help' }]],
    ['show me an image', [{ kind: 'image' }]],
    ['search the web for cherry trees', [{ kind: 'search', query: 'cherry trees' }]],
    [
      'What time is it in Tokyo, what is 2+2, and list the files',
      [time('Tokyo'), calculate('2+2'), list()],
    ],
    ['hello', []],
    ['', []],
  ])('reads %j', (text, expected) => {
    expect(findIntents(text)).toEqual(expected);
  });

  it.each<[string, Intent[]]>([
    ['东京现在几点？', [time('东京')]],
    ['现在几点了', [time()]],
    ['请问现在巴黎和东京几点？', [time('巴黎'), time('东京')]],
    ['东京现在几点，工作区里有哪些文件？', [time('东京'), list()]],
    ['列出文件', [list()]],
    ['notes 目录下有什么文件', [list('notes')]],
    ['打开 welcome.md', [read('welcome.md')]],
    ['请读取说明.md', [read('说明.md')]],
    ['帮我看看 data/planets.csv 的内容', [read('data/planets.csv')]],
    ['抓取 https://example.com/页面，谢谢', [{ kind: 'fetch', url: 'https://example.com/页面' }]],
    ['记住我喜欢绿茶', [{ kind: 'remember', fact: '我喜欢绿茶' }]],
    ['你还记得什么？', [{ kind: 'recall' }]],
    ['那 7*8 呢', [calculate('7*8')]],
    ['计算 12 * (3 + 4)', [calculate('12 * (3 + 4)')]],
    ['3 乘以 4 等于多少', [calculate('3 * 4')]],
    ['144 的平方根是多少', [calculate('sqrt(144)')]],
    ['把牛奶加到购物清单里。', [{ kind: 'append', path: 'notes/shopping.txt', line: '牛奶' }]],
    ['data/planets.csv 里哪颗行星的卫星最多？', [read('data/planets.csv')]],
    ['读第一个', [{ kind: 'pick', position: 0 }]],
    ['打开最后一个', [{ kind: 'pick', position: -1 }]],
    ['哪个文件最大？', [{ kind: 'size', smallest: false }]],
    ['那巴黎呢？', [{ kind: 'again', subject: '巴黎' }]],
    ['我刚才问了什么？', [{ kind: 'history' }]],
    ['你能做什么', [{ kind: 'help' }]],
    ['给我看一张图片', [{ kind: 'image' }]],
    ['你好', []],
  ])('reads %j', (text, expected) => {
    expect(findIntents(text)).toEqual(expected);
  });

  it('never throws and never takes long, whatever it is given', () => {
    const word = fc.constantFrom(
      'what',
      'time',
      'in',
      'and',
      ',',
      '(',
      '1',
      '+',
      'list',
      'file',
      '几点',
      '文件',
      '.md',
      '/',
      ' ',
      '"',
      'a.b',
    );
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.array(word, { maxLength: 300 }).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(text, (sample) => {
        const look = () => expect(Array.isArray(findIntents(sample))).toBe(true);
        expect(cpuTime(look)).toBeLessThan(1000);
      }),
      { numRuns: 300 },
    );
    for (const unit of [
      '(',
      '1+',
      'what ',
      'read a.',
      'time in ',
      '1,',
      'a.',
      '第',
      '"',
      'https://',
      'show me the ',
    ]) {
      expect(
        cpuTime(() => findIntents(unit.repeat(5_000))),
        unit,
      ).toBeLessThan(1500);
    }
  });

  it.each(['a', 'e', 'a_', 'é', '和_', '时间读', '时间时间', '读', '请什么', '\t'])(
    'T81: holds the host for no more than a moment, however often one writes %s',
    (unit) => {
      expect(cpuTime(() => findIntents(unit.repeat(5_000)))).toBeLessThan(250);
      expect(cpuTime(() => findIntents(`write ${unit.repeat(5_000)}`))).toBeLessThan(250);
    },
  );
});
