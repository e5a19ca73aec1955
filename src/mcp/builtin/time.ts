import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { resolveTimeZone } from './time-zones.ts';
import type { BuiltinContext } from './toolkit/context.ts';
import { newServer } from './toolkit/new-server.ts';
import { readOnly, textResult } from './toolkit/tool-result.ts';

const zoneText = z.string().min(1).max(100);
const momentSchema = z.object({
  timezone: z.string().describe('IANA name of the zone'),
  datetime: z.string().describe('Local date and time with offset, ISO 8601'),
  weekday: z.string(),
  utc_offset: z.string(),
});

/** The server `time`: the present time of a place, and conversion between places. */
export function createTimeServer(context: Pick<BuiltinContext, 'now'>): McpServer {
  const server = newServer('time', 'Time', 'Use this to get the current time; never guess it.');
  server.registerTool(
    'get_current_time',
    {
      title: 'Current time',
      description: 'Gets the current date and time in a time zone or city.',
      inputSchema: z.object({
        timezone: zoneText
          .optional()
          .describe(
            'IANA time zone ("Asia/Tokyo"), UTC offset ("+08:00") or city ("Tokyo", "东京"). ' +
              "Leave out for the host's own zone.",
          ),
      }),
      outputSchema: momentSchema,
      annotations: { ...readOnly, idempotentHint: false },
    },
    ({ timezone }) => {
      const moment = present(nowIn(context, timezone));
      return textResult(describe(moment), moment);
    },
  );
  server.registerTool(
    'convert_time',
    {
      title: 'Convert time',
      description: 'Converts a time from one time zone or city to another.',
      inputSchema: z.object({
        source_timezone: zoneText.describe('Zone or city the time is given in'),
        time: z
          .string()
          .max(40)
          .describe('"14:30" (today in the source zone) or "2026-03-01T14:30" for another day'),
        target_timezone: zoneText.describe('Zone or city to convert to'),
      }),
      outputSchema: z.object({
        source: momentSchema,
        target: momentSchema,
        difference_hours: z.number(),
      }),
      annotations: readOnly,
    },
    ({ source_timezone, time, target_timezone }) => {
      const from = localTime(time, nowIn(context, source_timezone));
      const to = from.withTimeZone(resolveTimeZone(target_timezone));
      const difference_hours = (to.offsetNanoseconds - from.offsetNanoseconds) / 3.6e12;
      const result = { source: present(from), target: present(to), difference_hours };
      return textResult(`${describe(result.source)} is ${describe(result.target)}.`, result);
    },
  );
  return server;
}

function nowIn(context: Pick<BuiltinContext, 'now'>, timezone?: string): Temporal.ZonedDateTime {
  const zone = timezone === undefined ? Temporal.Now.timeZoneId() : resolveTimeZone(timezone);
  return Temporal.Instant.fromEpochMilliseconds(context.now().getTime()).toZonedDateTimeISO(zone);
}

function localTime(text: string, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const written = text.trim();
  try {
    const plain = /^\d{1,2}:\d{2}(:\d{2})?$/.test(written)
      ? now.toPlainDate().toPlainDateTime(Temporal.PlainTime.from(written.padStart(5, '0')))
      : Temporal.PlainDateTime.from(written, { overflow: 'reject' });
    return plain.toZonedDateTime(now.timeZoneId);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = say(
      'time-unreadable',
    )`"${text}" isn't a valid time. Use a format such as 14:30 or 2026-03-01T14:30.`;
    throw new CeriseError('invalid_arguments', message, { cause });
  }
}

function present(moment: Temporal.ZonedDateTime): z.infer<typeof momentSchema> {
  return {
    timezone: moment.timeZoneId,
    datetime: moment.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
    weekday: moment.toLocaleString('en', { weekday: 'long' }),
    utc_offset: moment.offset,
  };
}

function describe({ timezone, datetime, weekday }: z.infer<typeof momentSchema>): string {
  return `${weekday} ${datetime.slice(0, 10)} ${datetime.slice(11, 19)} in ${timezone} (UTC${datetime.slice(19)})`;
}
