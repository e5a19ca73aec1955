import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTimeServer } from './time.ts';
import { callTool, connectClient, testContext } from '../../../test/fakes/builtin-client.ts';

let client: Client;
beforeEach(async () => {
  client = await connectClient(createTimeServer(testContext()));
});
afterEach(() => client.close());

describe('get_current_time', () => {
  it.each([
    ['Asia/Tokyo', 'Asia/Tokyo', '2026-03-01T21:00:00+09:00'],
    ['Tokyo', 'Asia/Tokyo', '2026-03-01T21:00:00+09:00'],
    ['東京', 'Asia/Tokyo', '2026-03-01T21:00:00+09:00'],
    ['东京', 'Asia/Tokyo', '2026-03-01T21:00:00+09:00'],
    ['北京', 'Asia/Shanghai', '2026-03-01T20:00:00+08:00'],
    ['北京市', 'Asia/Shanghai', '2026-03-01T20:00:00+08:00'],
    ['new york', 'America/New_York', '2026-03-01T07:00:00-05:00'],
    ['São Paulo', 'America/Sao_Paulo', '2026-03-01T09:00:00-03:00'],
    ['Mumbai', 'Asia/Kolkata', '2026-03-01T17:30:00+05:30'],
    ['utc', 'UTC', '2026-03-01T12:00:00+00:00'],
    ['+02:00', '+02:00', '2026-03-01T14:00:00+02:00'],
  ])('knows %s', async (asked, timezone, datetime) => {
    const { structured } = await callTool(client, 'get_current_time', { timezone: asked });
    expect(structured).toMatchObject({ timezone, datetime, weekday: 'Sunday' });
  });

  it('says the time as text too', async () => {
    const { text } = await callTool(client, 'get_current_time', { timezone: 'Tokyo' });
    expect(text).toBe('Sunday 2026-03-01 21:00:00 in Asia/Tokyo (UTC+09:00)');
  });

  it("uses the host's zone when none is given", async () => {
    const { structured, isError } = await callTool(client, 'get_current_time');
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  });

  it('fails with near names for an unknown place', async () => {
    const { isError, text } = await callTool(client, 'get_current_time', { timezone: 'Angele' });
    expect(isError).toBe(true);
    expect(text).toContain('America/Los_Angeles');
    for (const odd of ['Atlantis', '../etc', '__proto__', '\0', '🍒']) {
      const result = await callTool(client, 'get_current_time', { timezone: odd });
      expect(result.isError, odd).toBe(true);
    }
  });
});

describe('convert_time', () => {
  it('converts a time of today and tells the difference', async () => {
    const { structured, text } = await callTool(client, 'convert_time', {
      source_timezone: 'Berlin',
      time: '9:30',
      target_timezone: 'Kathmandu',
    });
    expect(structured).toMatchObject({
      source: { datetime: '2026-03-01T09:30:00+01:00' },
      target: { datetime: '2026-03-01T14:15:00+05:45' },
      difference_hours: 4.75,
    });
    expect(text).toContain('14:15:00 in Asia/Kat');
  });

  it('knows summer time of another day', async () => {
    const { structured } = await callTool(client, 'convert_time', {
      source_timezone: 'New York',
      time: '2026-07-01T23:00',
      target_timezone: 'London',
    });
    expect(structured).toMatchObject({ target: { datetime: '2026-07-02T04:00:00+01:00' } });
  });

  it.each(['25:00', 'noon', '2026-02-30T10:00', ''])('fails for the time "%s"', async (time) => {
    const { isError, text } = await callTool(client, 'convert_time', {
      source_timezone: 'UTC',
      time,
      target_timezone: 'Tokyo',
    });
    expect(isError).toBe(true);
    expect(text).toContain('14:30');
  });
});
