import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { ServerConfig, StdioConfig } from '#shared/vocabulary/server.ts';
import { mayDownload, packageRun } from '../install/package-run.ts';
import { Silence } from '../install/silence.ts';
import type { LogRing } from '../process/log-ring.ts';
import type { McpProcessTracker } from '../process/process-tracker.ts';
import type { Channel } from '../protocol/channel.ts';

const minuteMs = 60_000;
const downloadSilenceMs = 5 * minuteMs;
/** A program that is always busy and never answers is given up in the end. */
const mostMs = 60 * minuteMs;
/** Who answers within this time has downloaded nothing. */
const promptMs = 2000;

/** How long a start may take, or, where it downloads first, be silent. */
export function startLimitMs(config: StdioConfig, limits: Pick<Limits, 'initialiseTime'>): number {
  if (config.startTimeout !== undefined) return config.startTimeout * 1000;
  return mayDownload(config) ? downloadSilenceMs : limits.initialiseTime;
}

interface StartDeps {
  signal: AbortSignal;
  log: LogRing;
  tracker: McpProcessTracker;
  limits: Pick<Limits, 'initialiseTime'>;
  onInstall: (text: string | undefined) => void;
}

/** A start under way. */
interface StartWatch {
  /** Aborted when it is given up. */
  signal: AbortSignal;
  /** The longest that one answer may take. */
  mostMs: number;
  /** To be called when it has succeeded or failed; throws what it was given up for. */
  end(): void;
}

/**
 * Watches over the first answer of a server. What downloads what it runs (`uvx`, `docker run`) may take any
 * time while it writes or works; everything else has its limit.
 */
export function watchStart(config: ServerConfig, channel: Channel, deps: StartDeps): StartWatch {
  const { signal, limits } = deps;
  if (config.type !== 'stdio')
    return { signal, mostMs: limits.initialiseTime, end: () => undefined };
  const limitMs = startLimitMs(config, limits);
  if (mayDownload(config) && !packageRun(config)) return watchDownload(limitMs, channel, deps);
  // What was installed in a step of its own only has to start.
  const { startTimeout } = config;
  const time = startTimeout === undefined ? limits.initialiseTime : limitMs;
  return { signal, mostMs: time, end: () => undefined };
}

function watchDownload(limitMs: number, channel: Channel, deps: StartDeps): StartWatch {
  const { log, tracker, onInstall } = deps;
  const giveUp = new AbortController();
  const silence = new Silence({
    limitMs,
    activity: () =>
      channel.processId === undefined ? undefined : tracker.activity(channel.processId),
    onSilent: () => giveUp.abort(),
  });
  let line = '';
  let isSlow = false;
  const slow = setTimeout(() => {
    isSlow = true;
    onInstall(line);
  }, promptMs);
  log.onOutput = (text) => {
    silence.touch();
    line = text;
    if (isSlow) onInstall(line);
  };
  return {
    signal: AbortSignal.any([deps.signal, giveUp.signal]),
    mostMs,
    end: () => {
      clearTimeout(slow);
      silence.stop();
      log.onOutput = () => undefined;
      if (isSlow) onInstall(undefined);
      if (giveUp.signal.aborted && !deps.signal.aborted) throw tooSlow(limitMs);
    },
  };
}

function tooSlow(limitMs: number): CeriseError {
  return new CeriseError(
    'timed_out',
    say('start-silent')`The server showed no activity for ${Math.round(limitMs / 1000)} s.`,
    { hint: say('start-silent-hint')`Check its log, or raise its start timeout.` },
  );
}
