import { markedText } from '#shared/text/visible-text.ts';
import { diffLines } from '#shared/text/word-diff.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { Decision, PolicyReason } from '#shared/vocabulary/policy-api.ts';
import { markedLine } from './terminal-text.ts';
import type { Dialogue, Terminal } from './terminal.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** A person's word on a call, how long it counts, and the arguments if they changed them. */
type Approval = Pick<Decision, 'decision' | 'scope' | 'arguments'>;

type AskingCall = Pick<ToolBlock, 'serverName' | 'toolName' | 'arguments' | 'approval'>;

/** The letters and the words they stand for; anything else is no yes, whatever it begins with. */
const answers = new Map<string, Approval['scope']>([
  ['y', 'once'],
  ['yes', 'once'],
  ['t', 'topic'],
  ['topic', 'topic'],
  ['g', 'arguments'],
  ['arguments', 'arguments'],
  ['h', 'host'],
  ['host', 'host'],
  ['a', 'always'],
  ['always', 'always'],
]);

/** Asks the person at the terminal; without one the call is denied. The signal ends the question. */
export async function askApproval(
  terminal: Terminal,
  call: AskingCall,
  signal?: AbortSignal,
): Promise<Approval> {
  if (!terminal.interactive) {
    terminal.write(
      `${tell(say('cli-denied')`Denied, because this isn't an interactive terminal. Use --yes to approve: ${displayOf(call)}`)}\n`,
    );
    return denied;
  }
  return terminal.dialogue(async (dialogue) => {
    if (signal?.aborted) return denied;
    const said = await askWithEdits(dialogue, call);
    if (signal?.aborted)
      dialogue.write(`\n${tell(say('cli-no-longer-asked')`This request is closed.`)}\n`);
    return said;
  }, signal);
}

async function askWithEdits(dialogue: Dialogue, call: AskingCall): Promise<Approval> {
  for (let args = call.arguments; ;) {
    dialogue.write(`\n${tell(say('cli-may-run')`Allow this call? (${reasonText(call)})`)}\n`);
    if (!(await dialogue.show(displayOf(call, args)))) return denied;
    const answer = await askChoice(dialogue, call);
    if (answer !== 'e' && answer !== 'edit') return judged(answer, call, args);
    const changed = await editArguments(dialogue, args);
    if (!changed) return denied;
    args = changed;
  }
}

const others = new Set(['', 'n', 'no', 'e', 'edit']);

/** Asks again after a slip of the keys: it is no yes, and no reason to deny either. */
async function askChoice(dialogue: Dialogue, call: AskingCall): Promise<string> {
  for (;;) {
    const line = await dialogue.decision(choices(call));
    const answer = line?.trim().toLowerCase() ?? '';
    if (others.has(answer) || scopeOf(answer, call)) return answer;
    dialogue.write(`${tell(say('cli-no-choice')`Enter one of the letters in brackets.`)}\n`);
  }
}

function scopeOf(answer: string, { approval }: AskingCall): Approval['scope'] | undefined {
  const scope = answers.get(answer);
  return scope === 'host' && !approval?.host ? undefined : scope;
}

const denied: Approval = { decision: 'deny', scope: 'once' };

function judged(answer: string, call: AskingCall, args: JsonObject): Approval {
  const scope = scopeOf(answer, call);
  if (!scope) return denied;
  return { decision: 'approve', scope, ...(args !== call.arguments && { arguments: args }) };
}

/** Why it asks: the words of a person's rule, or else of the reason. */
function reasonText({ approval }: AskingCall): string {
  return approval?.reason ? tell(reasons[approval.reason]) : markedLine(approval?.rule ?? '');
}

const reasons: Record<PolicyReason, Sentence> = {
  tool_changed: say('cli-ask-changed')`the server changed this tool after it was approved`,
  untrusted_words: say('cli-ask-untrusted')`this chat contains untrusted content`,
  server_settings: say('cli-ask-settings')`the server's settings allow it`,
  read_only: say('cli-ask-read-only')`read-only tools on trusted servers run without approval`,
  may_destroy: say('cli-ask-destroys')`this tool is labelled destructive`,
  untrusted_server: say('cli-ask-server')`tools on untrusted servers need approval`,
  reaches_out: say('cli-ask-outside')`this tool can access external systems`,
  replay: say('cli-ask-replay')`every call of this replay needs approval`,
  may_change: say('cli-ask-changes')`this tool can make changes`,
};

function choices({ approval }: AskingCall): string {
  const host = approval?.host;
  const forHost = host ? say('cli-for-host')` for [h]ost ${markedLine(host)},` : '';
  return tell(
    say(
      'cli-choices',
    )`[y]es, for this cha[t], for these ar[g]uments,${forHost} [a]lways, [e]dit, [N]o: `,
  );
}

/** The call with all its arguments; with those that a person changed, what was and what is now. */
function displayOf(call: AskingCall, args = call.arguments): string {
  const name = `${markedLine(call.serverName)} · ${markedLine(call.toolName)}`;
  const before = toJsonText(call.arguments);
  if (args === call.arguments) return `${name}\n${before}`;
  const signs = { same: ' ', removed: '-', added: '+' };
  const lines = diffLines(before, toJsonText(args)).flatMap(({ kind, text }) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${signs[kind]} ${line}`),
  );
  return [name, ...lines].join('\n');
}

function toJsonText(args: JsonObject): string {
  return markedText(JSON.stringify(args, null, 2));
}

/** The arguments as a person changed them; as they were if nothing was entered, undefined if they left. */
async function editArguments(
  dialogue: Dialogue,
  args: JsonObject,
): Promise<JsonObject | undefined> {
  for (let preset = JSON.stringify(args).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped); ;) {
    const line = await dialogue.edit(tell(say('cli-edit')`Arguments: `), preset);
    if (line === undefined) return undefined;
    if (line.trim() === '') return args;
    const changed = parseJson(line);
    if (isJsonObject(changed)) return changed;
    dialogue.write(`${tell(say('arguments-no-object')`The arguments must be a JSON object.`)}\n`);
    preset = line;
  }
}

/** What draws nothing, or moves the cursor, as JSON can say it too. */
function escaped(character: string): string {
  return character.replaceAll(/[^]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
