import { useEffect, useState } from 'react';
import { readHostLog } from '#client/stream/read-events.ts';
import type { HostLogEvent, HostLogLine, HostLogView } from '#shared/telemetry/log-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { useLine } from '../../state/page/line.ts';
import { api } from '../../state/session/api.ts';

/** Lines that the page holds; the host holds more or less by their size. */
const maxLines = 5000;
/** Milliseconds between two drawings: at debug there may be hundreds of lines in a second. */
const drawMs = 100;

/** The log of the instance that answers, as it grows. */
export function useHostLog(): { log?: HostLogView; error?: ErrorInfo } {
  const [state, setState] = useState<{ log?: HostLogView; error?: ErrorInfo }>({});
  const live = useLine((line) => line.live);
  useEffect(() => {
    if (!live) return;
    const left = new AbortController();
    let log: HostLogView | undefined;
    let timer: number | undefined;
    const draw = () => {
      timer = undefined;
      if (log && !left.signal.aborted) setState({ log });
    };
    const follow = async () => {
      for await (const event of readHostLog(api.connection, left.signal)) {
        log = withEvent(log, event);
        timer ??= window.setTimeout(draw, drawMs);
      }
    };
    follow().catch((error: unknown) => {
      if (!left.signal.aborted) setState({ error: toErrorInfo(error) });
    });
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [live]);
  return state;
}

/** After a cut the stream goes on; on another instance it begins again. */
function withEvent(before: HostLogView | undefined, event: HostLogEvent): HostLogView | undefined {
  if ('log' in event) {
    const isSame = before?.instance.id === event.log.instance.id;
    const last = isSame ? (before.lines.at(-1)?.n ?? 0) : 0;
    const more = event.log.lines.filter(({ n }) => n > last);
    return { ...event.log, lines: cut([...(isSame ? before.lines : []), ...more]) };
  }
  if (!before) return undefined;
  if ('line' in event) return { ...before, lines: cut([...before.lines, event.line]) };
  const { until: _, ...rest } = before;
  return { ...rest, ...event.level };
}

function cut(lines: HostLogLine[]): HostLogLine[] {
  return lines.length > maxLines ? lines.slice(-maxLines) : lines;
}
