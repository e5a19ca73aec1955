import type {
  Context,
  Ending,
  PastCall,
  PlannedCall,
  Script,
  ScriptPart,
  Want,
} from './context.ts';
import { many } from './history.ts';
import { maxChars } from './intents.ts';
import { spoken } from './player.ts';
import { skills } from './skills.ts';
import { callFor, guessCall, ownName, toolsNamed } from './tools.ts';

/** A script on its way, and where it stands. */
interface Act {
  script?: Script;
  step: ReturnType<Script['next']>;
}

/**
 * Runs scripts beside each other: again through the rounds that were made, then on to what comes next, which
 * is a search for tools, the calls of the next round, or the end.
 */
export function perform(scripts: (Script | Ending)[], context: Context): ScriptPart[] {
  const acts = scripts.map(begin);
  for (const round of context.turn.rounds) {
    const left = [...round];
    for (const act of acts) goOn(act, (wants) => wants.map((want) => take(want, left)));
  }
  const queries = new Set<string>();
  const calls: PlannedCall[] = [];
  for (const act of acts)
    goOn(act, (wants) => {
      const planned = wants.map((want) => planCall(want, context));
      const missing = wants.filter((_, index) => !planned[index]);
      const searched = missing.flatMap((want) => queryFor(want, context) ?? []);
      const made = planned.filter((call) => call !== undefined);
      for (const query of searched) queries.add(query);
      calls.push(...made);
      return searched.length + made.length > 0 ? undefined : [];
    });
  if (queries.size > 0) {
    const list = new Intl.ListFormat(context.locale).format([...queries].map((one) => `“${one}”`));
    const lead = context.say`There are too many tools to list, so I’ll search for the ones I need: ${list}. ‖ 工具太多，无法全部列出，所以我先搜索需要的工具：${list}。`;
    const searches = [...queries].map((query) => ({ toolName: many.search, arguments: { query } }));
    return callParts(searches, lead, context);
  }
  const steps = acts.flatMap(({ step }) => (step.done ? [] : step.value));
  if (calls.length > 0) return callParts(calls, steps[0]?.lead, context);
  const ends = acts.map(({ step }) => (step.done ? step.value : ''));
  const texts = new Set(ends.flatMap((end) => (typeof end === 'string' && end ? [end] : [])));
  const parts = ends.flatMap((end) => (typeof end === 'string' ? [] : end));
  return texts.size > 0 ? [...parts, ...spoken([...texts].join('\n\n'))] : parts;
}

function begin(script: Script | Ending): Act {
  if (typeof script === 'string' || Array.isArray(script))
    return { step: { done: true, value: script } };
  return { script, step: script.next([]) };
}

/** Gives a script what it wants, until there was some of it or it has to wait (undefined). */
function goOn(act: Act, answer: (wants: Want[]) => (PastCall | undefined)[] | undefined): void {
  while (act.script && !act.step.done) {
    const got = answer(act.step.value.wants);
    if (!got) return;
    act.step = act.script.next(got);
    if (got.some(Boolean)) return;
  }
}

/** The call of a round that was made for this: the next of its kind. */
function take(want: Want, left: PastCall[]): PastCall | undefined {
  const at = 'kind' in want ? left.findIndex(({ kind }) => kind === want.kind) : 0;
  return at < 0 ? undefined : left.splice(at, 1)[0];
}

function planCall(want: Want, context: Context): PlannedCall | undefined {
  const { tools, offered } = context;
  if (offered.size === 0) return undefined;
  if ('kind' in want) return callFor(want, tools);
  if ('guess' in want) return guessCall(want.guess.slice(0, maxChars), tools);
  const [tool] = toolsNamed(want.call.toolName, tools);
  // A name that no tool has is called all the same, to see what happens.
  if (!tool) return queryFor(want, context) === undefined ? want.call : undefined;
  return { ...want.call, toolName: tool.name };
}

/** What to search for, where tools can be searched for and this was not yet. */
function queryFor(want: Want, { turn, offered }: Context): string | undefined {
  const [best = ''] = 'kind' in want ? (skills[want.kind].tools ?? '').split(' ') : [];
  const isOffered = 'call' in want && offered.has(want.call.toolName);
  const words = 'call' in want ? want.call.toolName : 'guess' in want ? want.guess : '';
  const query = best.replaceAll('_', ' ') || words.trim().slice(0, maxChars);
  const isNew = query !== '' && !isOffered && !turn.searches.includes(query);
  return offered.has(many.search) && isNew ? query : undefined;
}

/** The first round thinks aloud before it calls; later ones say what the script wants said. */
function callParts(calls: PlannedCall[], said: string | undefined, context: Context) {
  const { turn, offered, say, locale } = context;
  const own = calls.map(({ toolName }) => `\`${ownName(toolName)}\``);
  const names = new Intl.ListFormat(locale).format(own);
  const one = say`I need a tool to answer this: ${names}. I’ll call it and answer from its result. ‖ 回答这个问题需要工具 ${names}。先调用它，再根据结果回答。`;
  const several = say`The question has ${calls.length} independent parts, so I’ll call ${names} in parallel and answer from the results. ‖ 这个问题有 ${calls.length} 个互不依赖的部分。我同时调用 ${names}，再根据结果回答。`;
  const isFirst = turn.rounds.length === 0;
  const lead = said ?? (isFirst ? (calls.length > 1 ? several : one) : '');
  const parts = calls.map((call): ScriptPart => {
    const isHidden = !offered.has(call.toolName) && offered.has(many.call);
    const input = { name: call.toolName, arguments: call.arguments };
    return { type: 'call', ...(isHidden ? { toolName: many.call, arguments: input } : call) };
  });
  return lead === '' ? parts : [...spoken(lead, isFirst ? 'thinking' : 'text'), ...parts];
}
