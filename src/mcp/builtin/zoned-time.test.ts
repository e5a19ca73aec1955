import { describe, expect, it } from 'vitest';
import { atLocalTime, atMoment, toIsoText } from './zoned-time.ts';

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'];
const now = (zone: string) => atMoment(zone, Date.UTC(2026, 2, 1, 12));

describe('the time of a zone', () => {
  it('is that of Temporal for every half hour around its changes, skipped and doubled ones too', () => {
    for (const zone of zones)
      for (const day of [67, 88, 95, 277, 298, 305])
        for (let half = 0; half < 10; half += 1) {
          const local = new Date(Date.UTC(2026, 0, day, 0, half * 30 + 7)).toISOString();
          const text = local.slice(0, 16);
          const plain = Temporal.PlainDateTime.from(text).toZonedDateTime(zone);
          const time = atLocalTime(text, now(zone));
          const expected = plain.toString({ timeZoneName: 'never', smallestUnit: 'second' });
          expect(time && toIsoText(time), `${zone} ${text}`).toBe(expected);
        }
  });

  it('takes clock times of today, with or without a leading zero and seconds', () => {
    const read = (text: string) => {
      const time = atLocalTime(text, now('Asia/Tokyo'));
      return time && toIsoText(time);
    };
    expect(read('9:05')).toBe('2026-03-01T09:05:00+09:00');
    expect(read(' 09:05:07 ')).toBe('2026-03-01T09:05:07+09:00');
    expect(read('9:05:07')).toBe('2026-03-01T09:05:07+09:00');
    expect(read('2026-03-02')).toBe('2026-03-02T00:00:00+09:00');
    expect(read('2026-03-02 10:00:30.5')).toBe('2026-03-02T10:00:30+09:00');
  });

  it.each(['24:00', '12:60', '2026-13-01T00:00', '2026-02-29T00:00', '2026-03-01T14:30Z', 'now'])(
    'is not "%s"',
    (text) => expect(atLocalTime(text, now('UTC'))).toBeUndefined(),
  );
});
