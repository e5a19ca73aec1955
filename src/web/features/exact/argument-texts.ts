import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { firstSight, type FirstSight } from '../../ui/text/first-sight.ts';

/** An argument as it is drawn: its name, its value, and whether that is text that reads like data. */
export interface ArgumentText {
  name: string;
  text: string;
  isTextLikeData: boolean;
}

/** Arguments as a person sees them, made of nothing but what is sent. */
export function argumentTexts(value: JsonObject): ArgumentText[] {
  return Object.entries(value).map(([name, each]) => ({
    name,
    text: typeof each === 'string' ? each : JSON.stringify(each, null, 2),
    isTextLikeData: typeof each === 'string' && readsAsJson(each),
  }));
}

/** How much of arguments is drawn before they are opened: names and values in turn. */
export function firstOfArguments(texts: readonly ArgumentText[]): FirstSight {
  return firstSight(texts.flatMap(({ name, text }) => [name, text]));
}

/** Whether a text could be taken for a number, a list or whatever else is not text. */
function readsAsJson(text: string): boolean {
  if (!/^\s*(?:[-\d"{[]|true|false|null)/.test(text)) return false;
  try {
    JSON.parse(text) satisfies Json;
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
