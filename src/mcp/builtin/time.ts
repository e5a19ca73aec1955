import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { resolveTimeZone } from './time-zones.ts';
import type { BuiltinContext } from './toolkit/context.ts';
import { newServer } from './toolkit/new-server.ts';
import { readOnly, textResult } from './toolkit/tool-result.ts';
import { atLocalTime, atMoment, offsetText, toIsoText, type ZonedTime } from './zoned-time.ts';

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
              "Omit to use the host's time zone.",
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
        source_timezone: zoneText.describe('Time zone or city of the time to convert'),
        time: z
          .string()
          .max(40)
          .describe('"14:30" (today in the source zone) or "2026-03-01T14:30" for another day'),
        target_timezone: zoneText.describe('Time zone or city to convert to'),
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
      const to = atMoment(resolveTimeZone(target_timezone), from.epochMs);
      const difference_hours = (to.offsetMs - from.offsetMs) / 3.6e6;
      const result = { source: present(from), target: present(to), difference_hours };
      return textResult(`${describe(result.source)} is ${describe(result.target)}.`, result);
    },
  );
  return server;
}

function nowIn(context: Pick<BuiltinContext, 'now'>, timezone?: string): ZonedTime {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = timezone === undefined ? own : resolveTimeZone(timezone);
  return atMoment(zone, context.now().getTime());
}

function localTime(text: string, now: ZonedTime): ZonedTime {
  const time = atLocalTime(text, now);
  if (time) return time;
  const message = say(
    'time-unreadable',
  )`"${text}" isn't a valid time. Use a format such as 14:30 or 2026-03-01T14:30.`;
  throw new CeriseError('invalid_arguments', message);
}

function present(moment: ZonedTime): z.infer<typeof momentSchema> {
  const { zone, epochMs, offsetMs } = moment;
  return {
    timezone: zone,
    datetime: toIsoText(moment),
    weekday: new Date(epochMs).toLocaleString('en', { weekday: 'long', timeZone: zone }),
    utc_offset: offsetText(offsetMs),
  };
}

function describe({ timezone, datetime, weekday }: z.infer<typeof momentSchema>): string {
  return `${weekday} ${datetime.slice(0, 10)} ${datetime.slice(11, 19)} in ${timezone} (UTC${datetime.slice(19)})`;
}
