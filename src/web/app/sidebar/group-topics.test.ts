import { describe, expect, it } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { groupTopics } from './group-topics.ts';

const now = new Date(2026, 5, 15, 12);
const topic = (id: string, date: Date): Topic => ({
  id,
  title: id,
  titled: true,
  assistantId: 'a',
  activeLeafId: null,
  isLoading: false,
  createdAt: 0,
  updatedAt: date.getTime(),
});

describe('groupTopics', () => {
  it('divides by the days of the reader and keeps the order', () => {
    const groups = groupTopics(
      [
        topic('now', now),
        topic('morning', new Date(2026, 5, 15, 0, 30)),
        topic('evening', new Date(2026, 5, 14, 23, 30)),
        topic('monday', new Date(2026, 5, 10)),
        topic('may', new Date(2026, 4, 31, 23)),
        topic('also may', new Date(2026, 4, 1)),
        topic('last may', new Date(2025, 4, 20)),
      ],
      now,
    );
    expect(groups.map(({ age, topics }) => [age, ...topics.map(({ id }) => id)])).toEqual([
      ['today', 'now', 'morning'],
      ['yesterday', 'evening'],
      ['week', 'monday'],
      ['month', 'may', 'also may'],
      ['month', 'last may'],
    ]);
    expect(groups.slice(-2).map(({ month }) => month && new Date(month))).toEqual([
      new Date(2026, 4, 1),
      new Date(2025, 4, 1),
    ]);
  });
});
