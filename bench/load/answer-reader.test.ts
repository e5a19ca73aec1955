import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.ts';

const start = 'data: {"type":"block-start","blockId":"a.0","block":{"type":"main_text"}}\n\n';
const delta = (offset: number, text: string): string =>
  `data: ${JSON.stringify({ type: 'block-delta', blockId: 'a.0', offset, text })}\n\n`;
const end = 'id: 9\ndata: {"seq":9,"type":"message-end","status":"success"}\n\n';
const chunk = (frames: string): string => `${frames.length.toString(16)}\r\n${frames}\r\n`;

function read(pieces: string[]): { texts: string[]; ended: [string, number][] } {
  const texts: string[] = [];
  const ended: [string, number][] = [];
  const reader = new AnswerReader({
    onText: (text) => void texts.push(text),
    onEnd: (...args) => void ended.push(args),
  });
  for (const piece of pieces) reader.push(piece);
  return { texts, ended };
}

describe('a viewer of the load benchmark', () => {
  it('sees each text once, also where the durable delta says it again and more', () => {
    const { texts, ended } = read([start, delta(0, 'abcde'), delta(0, 'abcdefghij'), end]);
    expect(texts).toEqual(['abcde', 'fghij']);
    expect(ended).toEqual([['success', 10]]);
  });

  it('reads the same however the bytes are cut', () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
    const whole = head + chunk(start) + chunk(delta(0, 'abcde') + delta(5, 'fghij')) + chunk(end);
    for (let cut = 1; cut < whole.length; cut += 1)
      expect(read([whole.slice(0, cut), whole.slice(cut)])).toEqual({
        texts: ['abcde', 'fghij'],
        ended: [['success', 10]],
      });
  });

  it('complains where text is missing', () => {
    expect(() => read([start, delta(5, 'fghij')])).toThrow('missing before 5');
  });
});
