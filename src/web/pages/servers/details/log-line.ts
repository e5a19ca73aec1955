import type { LogTone } from '../../../ui/text/log-lines.tsx';

/** A line of a server's log in its parts. */
export interface LogLine {
  /** Milliseconds; absent where the line does not say. */
  at?: number;
  source: string;
  level?: string;
  text: string;
  tone: LogTone;
}

const line = /^(\S+) (stderr|stdout|event|log): ([^]*)$/;
const levels = /^(debug|info|notice|warning|error|critical|alert|emergency): ([^]*)$/;
const tones: Partial<Record<string, LogTone>> = {
  debug: 'quiet',
  warning: 'warning',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** Reads a line as the host keeps it; one of another shape is all text. */
export function readLogLine(given: string): LogLine {
  const [, moment = '', source = '', rest = given] = line.exec(given) ?? [];
  const at = Date.parse(moment);
  const [, level, said] = source === 'log' ? (levels.exec(rest) ?? []) : [];
  const text = said ?? rest;
  return {
    ...(!Number.isNaN(at) && { at }),
    source,
    ...(level && { level }),
    text,
    tone: toneOf(source, level, text),
  };
}

function toneOf(source: string, level: string | undefined, text: string): LogTone {
  if (level) return tones[level] ?? 'plain';
  if (source === 'event') return /^(?:failed|not reachable)/.test(text) ? 'error' : 'quiet';
  return source === 'stdout' ? 'warning' : 'plain';
}
