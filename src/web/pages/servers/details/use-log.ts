import { useEffect, useState } from 'react';
import { Rereading } from '#shared/async/rereading.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { followLog } from '../../../state/catalog/log-news.ts';
import { useLine } from '../../../state/page/line.ts';
import { api } from '../../../state/session/api.ts';

interface Log {
  lines?: string[];
  error?: ErrorInfo;
}

/** The lines of a log, read when the host says that there are new ones; only what changed is sent. */
export function useLog(serverId: string, paused: boolean): Log {
  const [log, setLog] = useState<Log>({});
  // What came while the line was down was told to nobody.
  const live = useLine((state) => state.live);
  useEffect(() => {
    if (paused || !live) return;
    const left = new AbortController();
    let known: string | undefined;
    const reading = new Rereading(async () => {
      const { version, lines } = await api.servers.logs(serverId, known, left.signal);
      known = version;
      if (lines && !left.signal.aborted) setLog({ lines });
    });
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      reading.load().catch((error: unknown) => {
        if (!left.signal.aborted) setLog({ error: toErrorInfo(error) });
      });
    };
    const unfollow = followLog(serverId, read);
    document.addEventListener('visibilitychange', read);
    read();
    return () => {
      left.abort();
      unfollow();
      document.removeEventListener('visibilitychange', read);
    };
  }, [serverId, paused, live]);
  return log;
}
