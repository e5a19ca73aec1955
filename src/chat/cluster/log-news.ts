/** Milliseconds between two pieces of news of one server's log: it may write thousands of lines. */
const usualPauseMs = 1000;

/**
 * Tells that a server wrote into its log: the first time at once, then at most once a pause, and always
 * after the last line. The lines themselves are read by who wants them.
 */
export function createLogNews<T>(
  tell: (serverId: string, about: T) => void,
  pause: number = usualPauseMs,
): (serverId: string, about: T) => void {
  /** What is to be said at the end of each pause that runs. */
  const pausing = new Map<string, { about: T } | undefined>();
  const begin = (serverId: string, about: T) => {
    tell(serverId, about);
    pausing.set(serverId, undefined);
    setTimeout(() => {
      const late = pausing.get(serverId);
      pausing.delete(serverId);
      if (late) begin(serverId, late.about);
    }, pause).unref();
  };
  return (serverId, about) => {
    if (pausing.has(serverId)) pausing.set(serverId, { about });
    else begin(serverId, about);
  };
}
