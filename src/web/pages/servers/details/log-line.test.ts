import { describe, expect, it } from 'vitest';
import { readLogLine } from './log-line.ts';

const time = '2026-01-02T03:04:05.678Z';

describe('readLogLine', () => {
  it.each([
    [`${time} stderr: error: boom`, { source: 'stderr', text: 'error: boom', tone: 'plain' }],
    [
      `${time} log: warning: hot`,
      { source: 'log', level: 'warning', text: 'hot', tone: 'warning' },
    ],
    [`${time} log: error: two\nlines`, { level: 'error', text: 'two\nlines', tone: 'error' }],
    [`${time} log: words: of its own`, { source: 'log', text: 'words: of its own' }],
    [`${time} event: failed: no`, { source: 'event', tone: 'error' }],
    [`${time} event: connected`, { source: 'event', tone: 'quiet' }],
  ])('reads %j', (line, parts) => {
    expect(readLogLine(line)).toMatchObject({ at: Date.parse(time), ...parts });
  });

  it('takes a line of another shape for text', () => {
    expect(readLogLine('plain')).toEqual({ source: '', text: 'plain', tone: 'plain' });
    expect(readLogLine('')).toEqual({ source: '', text: '', tone: 'plain' });
  });
});
