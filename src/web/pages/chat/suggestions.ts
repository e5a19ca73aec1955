import type { ServerView } from '#shared/api/api.ts';
import type { Messages } from '../../messages/en/en.ts';

/** A text to begin with; `server` is named in it. */
export interface Suggestion {
  text: keyof Messages['chat'] & `suggest${string}`;
  server?: string;
}

/** What the next answer will be made with. */
export interface Answering {
  /** The demo model answers. */
  scripted: boolean;
  /** The assistant has instructions of its own. */
  instructed: boolean;
  /** The servers whose tools it may use. */
  servers: Pick<ServerView, 'name' | 'builtin'>[];
}

const mostReal = 4;

/** The tricks of the demo model, with the built-in servers that each needs. */
const tricks: [text: Suggestion['text'], ...servers: string[]][] = [
  ['suggestTime', 'time', 'filesystem'],
  ['suggestSum', 'calculator'],
  ['suggestMemory', 'memory'],
  ['suggestCode'],
  ['suggestDraw'],
  ['suggestForm', 'demo'],
  ['suggestSampling', 'demo'],
];

/** What a real model can do with the tools of a built-in server. */
const uses: [text: Suggestion['text'], server: string][] = [
  ['suggestFiles', 'filesystem'],
  ['suggestPage', 'fetch'],
];

/** Texts to begin with that can be answered by what answers, with the servers that it may use. */
export function chooseSuggestions({ scripted, instructed, servers }: Answering): Suggestion[] {
  const isOn = (name: string) => servers.some((one) => one.builtin && one.name === name);
  if (scripted)
    return tricks.filter(([, ...needs]) => needs.every(isOn)).map(([text]) => ({ text }));
  const added = servers.find(({ builtin }) => !builtin);
  const all: Suggestion[] = [
    ...(instructed ? [{ text: 'suggestAssistant' } as const] : []),
    ...(added ? [{ text: 'suggestServer', server: added.name } as const] : []),
    ...uses.filter(([, server]) => isOn(server)).map(([text]) => ({ text })),
    { text: 'suggestExplain' },
    { text: 'suggestDraft' },
  ];
  return all.slice(0, mostReal);
}
