import { candidates, chooseLine, cleanLine, type Output } from './choose-line.ts';
import type { EndCause, Ending, EndReason, Recogniser } from './end-cause.ts';
import { buildRecognisers, installRecognisers } from './recognise-install.ts';
import {
  addressesIn,
  certificateRecognisers,
  crash,
  fileRecognisers,
  machineRecognisers,
  portAddressesIn,
  prompt,
  serviceRecognisers,
} from './recognise-machine.ts';
import { argumentRecognisers, settingRecognisers, wrongSetting } from './recognise-settings.ts';

/** In this order: what is sure before what is likely. */
const recognisers: readonly Recogniser[] = [
  ...certificateRecognisers,
  ...installRecognisers,
  ...machineRecognisers,
  ...settingRecognisers,
  ...fileRecognisers,
  ...argumentRecognisers,
  ...serviceRecognisers,
  ...buildRecognisers,
];

/** Finds out what explains an end. The first recogniser that knows any line decides. Pure. */
export function recogniseEnd(ending: Ending): EndReason {
  const { output, silent } = ending;
  const lines = candidates(output);
  const listening = silent ? listensAt(output) : undefined;
  if (listening) return listening;
  // A usage tells less than the line that names the mistake.
  const isUsage = (line: string) => /^usage\b/i.test(line);
  const ordered = [...lines.filter((line) => !isUsage(line)), ...lines.filter(isUsage)];
  for (const recognise of recognisers) {
    for (const line of ordered) {
      const cause = recognise(line, ending);
      if (cause) return { line: explaining(line, cause, lines, chooseLine(output)), cause };
    }
  }
  const waiting = silent ? waitsAt(output) : undefined;
  if (waiting) return waiting;
  const line = chooseLine(output);
  const cause = silent
    ? textOnly(output)
    : (oldNode(output) ?? wrongSetting(line) ?? crash(line) ?? textOnly(output));
  return { ...(line !== undefined && { line }), ...(cause && { cause }) };
}

/** npm warns of a Node that is too old and goes on: that counts where nothing else explains the end. */
function oldNode({ stderr }: Output): EndCause | undefined {
  if (!stderr.some((line) => line.includes('EBADENGINE'))) return undefined;
  const wanted = /required: \{ node: '([^']+)'/.exec(stderr.join('\n'))?.[1];
  return { kind: 'node', ...(wanted !== undefined && { wanted }) };
}

/** The question that it wrote last and waits with. */
function waitsAt({ stderr, stdout }: Output): EndReason | undefined {
  for (const lines of [stdout, stderr]) {
    const line = cleanLine(lines.at(-1) ?? '').trim();
    const cause = prompt(line);
    if (cause) return { line, cause };
  }
  return undefined;
}

/** It wrote on stdout, and what it wrote there is no message. */
function textOnly({ stderr, stdout }: Output): EndCause | undefined {
  return stdout.length > 0 && candidates({ stderr, stdout: [] }).length === 0
    ? { kind: 'text' }
    : undefined;
}

/** A line that only says what to do stands with the one that says what is wrong, a head with what is below. */
function explaining(line: string, { kind }: EndCause, lines: string[], error = line): string {
  const after = lines[lines.indexOf(line) + 1];
  // What to type is in the advice.
  if (kind === 'script' || /^(?:npx|sudo)\b/.test(line)) return error;
  const item = /^(?:\d{1,2}[.)]|[-*•])\s+(.*)$/.exec(line)?.[1];
  if (item !== undefined) return error === line ? item : `${error} ${item}`;
  if ((/^usage:?$/i.test(line) || /[^)]:$/.test(line)) && after !== undefined)
    return `${line} ${after}`;
  const before = lines[lines.indexOf(line) - 1];
  if (kind === 'rebuild' && /^was compiled\b/.test(line) && before !== undefined)
    return `${before} ${line.replace(/ using$/, '')}`;
  const follows = kind === 'variable' && /^(?:run|set|pass|use|please run)\b/i.test(line);
  return follows && before !== undefined ? `${before} ${line}` : line;
}

/** Where a server that says nothing here listens instead; an address of MCP before any other. */
function listensAt({ stderr, stdout }: Output): EndReason | undefined {
  // What npm writes beside it is about where packages are from.
  const lines = [...stdout, ...stderr].filter((line) => !/^npm \w+ /.test(line)).map(cleanLine);
  const told = (urlsIn: (line: string) => string[]) =>
    lines.flatMap((line) =>
      urlsIn(line).map((url) => ({ line: line.trim(), cause: { kind: 'address' as const, url } })),
    );
  const all = told(addressesIn);
  const at = (path: RegExp) => all.find(({ cause }) => path.test(cause.url));
  return at(/\/mcp\b/) ?? at(/\/sse\b/) ?? all[0] ?? told(portAddressesIn)[0];
}
