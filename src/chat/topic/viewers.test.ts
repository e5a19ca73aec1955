import { expect, it } from 'vitest';
import type { EventBody } from '#shared/vocabulary/event.ts';
import { FrameClock, Viewers } from './viewers.ts';

function watch() {
  const clock = new FrameClock(2 ** 30);
  const viewers = new Viewers(clock);
  const frames: string[] = [];
  viewers.add({ send: (text, durable) => frames.push(`${durable ? 'D' : 'P'} ${text}`), end() {} });
  let seq = 0;
  const commit = (event: EventBody) => {
    seq += 1;
    viewers.showEvents([{ seq, body: JSON.stringify(event), event }]);
  };
  return { clock, viewers, frames, commit };
}

const block = { id: 'm.0', messageId: 'm', ordinal: 0, type: 'main_text', content: '' } as const;
const start: EventBody = {
  type: 'block-start',
  messageId: 'm',
  blockId: 'm.0',
  block: { ...block, status: 'streaming', round: 0, startedAt: 0 },
};
const delta = (offset: number, text: string): EventBody => ({
  type: 'block-delta',
  messageId: 'm',
  blockId: 'm.0',
  offset,
  text,
});

it('shows text of a block once its start is durable, and loses none of it until then', () => {
  const { clock, viewers, frames, commit } = watch();
  viewers.showText('m', 'm.0', 0, 'Hel');
  viewers.sendFrame();
  expect(frames).toEqual([]);
  viewers.showText('m', 'm.0', 3, 'lo');
  commit(start);
  viewers.sendFrame();
  expect(frames[0]).toContain('block-start');
  expect(frames[1]).toBe(`P data: ${JSON.stringify(delta(0, 'Hello'))}\n\n`);
  expect(frames).toHaveLength(2);
  clock.close();
});

it('shows of text that is partly durable by then only the rest', () => {
  const { clock, viewers, frames, commit } = watch();
  commit(start);
  viewers.showText('m', 'm.0', 0, 'Hello');
  commit(delta(0, 'Hel'));
  viewers.sendFrame();
  expect(frames.at(-1)).toBe(`P data: ${JSON.stringify(delta(3, 'lo'))}\n\n`);
  viewers.showText('m', 'm.0', 5, '!');
  commit(delta(3, 'lo!'));
  viewers.sendFrame();
  expect(frames).toHaveLength(4);
  clock.close();
});
