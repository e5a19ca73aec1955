import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';

export const modernVersion = '2026-07-28';
/** The newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const metaPrefix = 'io.modelcontextprotocol';
export const tasksExtension = `${metaPrefix}/tasks`;

/** What a program declares about itself: at the handshake, or with each request in the modern revision. */
export interface McpClient {
  era: 'legacy' | 'modern';
  version: string;
  capabilities: JsonObject;
}

/** Whether the program can answer a question of a server. */
export function canAnswer(
  { capabilities }: McpClient,
  method: string,
  params: JsonObject,
): boolean {
  if (method === 'roots/list') return isJsonObject(capabilities.roots);
  if (method === 'sampling/createMessage') return canSample(capabilities.sampling, params);
  const { elicitation } = capabilities;
  if (!isJsonObject(elicitation)) return false;
  if (params.mode === 'url') return isJsonObject(elicitation.url);
  // Before there were modes there were forms alone.
  return isJsonObject(elicitation.form) || !isJsonObject(elicitation.url);
}

function canSample(sampling: unknown, params: JsonObject): boolean {
  if (!isJsonObject(sampling)) return false;
  return params.tools === undefined || isJsonObject(sampling.tools);
}

/** Whether the program knows tasks (SEP-2663). */
export function knowsTasks({ era, capabilities }: McpClient): boolean {
  const { extensions } = capabilities;
  return era === 'modern' && isJsonObject(extensions) && isJsonObject(extensions[tasksExtension]);
}

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function isLogLevel(level: unknown): level is string {
  return typeof level === 'string' && levels.includes(level);
}

/** Whether a log message has at least the level `least`. */
export function isLoud(level: string, least: string | undefined): boolean {
  return least !== undefined && Math.max(0, levels.indexOf(level)) >= levels.indexOf(least);
}
