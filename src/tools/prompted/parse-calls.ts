import { isDeeperThan, isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';

/** A call as the model wrote it; the arguments are null where they are no JSON object. */
export interface WrittenCall {
  type: 'call';
  toolName: string;
  arguments: JsonObject | null;
  rawArguments: string;
  /** There is more of it than a call may have, and nothing of that was kept. */
  tooLarge?: true;
}

/** What is nested deeper cannot even be written again. */
const deepest = 500;

/** The calls in what stands between the tags: one object or a list; broken JSON is a call as well. */
export function parseCalls(raw: string): WrittenCall[] {
  const value = parseJson(raw) ?? parseJson(escapeControls(raw));
  const calls = Array.isArray(value) ? value : [value];
  const isUsable = calls.length > 0 && !isDeeperThan(value, deepest);
  if (!isUsable || !calls.every(isJsonObject)) return [brokenCall(raw)];
  return calls.map(toCall);
}

function toCall(call: JsonObject): WrittenCall {
  const { name, arguments: written, parameters } = call;
  const given = written ?? parameters ?? {};
  const args = typeof given === 'string' ? parseJson(given) : given;
  return {
    type: 'call',
    toolName: typeof name === 'string' ? name : '',
    arguments: isJsonObject(args) ? args : null,
    rawArguments: typeof given === 'string' ? given : JSON.stringify(given),
  };
}

function brokenCall(raw: string): WrittenCall {
  return { type: 'call', toolName: guessName(raw), arguments: null, rawArguments: raw.trim() };
}

/** A call of which no more than its beginning is kept. */
export function tooLargeCall(raw: string): WrittenCall {
  const toolName = guessName(raw.slice(0, 1000));
  return { type: 'call', toolName, arguments: null, rawArguments: '', tooLarge: true };
}

/** The tool's name in JSON that is broken or not whole; empty if it is not there. */
export function guessName(raw: string): string {
  return /"name"\s*:\s*"(?<name>[^"\\]*)"/.exec(raw)?.groups?.['name'] ?? '';
}

/** Models write line breaks into strings as they are; JSON wants them escaped. */
function escapeControls(raw: string): string {
  return raw.replace(/"(?:[^"\\]|\\.)*"/gs, (string) =>
    string.replace(/[\n\r\t]/g, (control) => JSON.stringify(control).slice(1, -1)),
  );
}
