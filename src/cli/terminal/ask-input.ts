import { styleText } from 'node:util';
import type { AnswerInput, InputView } from '#shared/api/input-api.ts';
import { askForm } from './ask-form.ts';
import { quotedText, markedLine } from './terminal-text.ts';
import { type Dialogue, isYes } from './terminal.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

type Url = Extract<InputView, { kind: 'url' }>;
type Sampling = Extract<InputView, { kind: 'sampling' }>;

/** Questions go to standard error. */
const ours = { stream: process.stderr };

/** The answer where nobody is there to ask. */
export function declined({ kind }: InputView): AnswerInput {
  return { action: kind === 'sampling' ? 'deny' : 'decline' };
}

/** Asks the person what a server asks. `open` shows an address, and is called only after a yes. */
export async function askInput(
  dialogue: Dialogue,
  input: InputView,
  open: (url: string) => void,
): Promise<AnswerInput> {
  const server = styleText('bold', markedLine(input.serverName), ours);
  switch (input.kind) {
    case 'form':
      dialogue.write(
        `\n${tell(say('cli-asks')`${server} needs your input:`)}\n${quotedText(input.message)}\n`,
      );
      return askForm(dialogue, input.schema);
    case 'url':
      dialogue.write(
        `\n${tell(say('cli-asks-visit')`${server} wants you to open a page:`)}\n${quotedText(input.message)}\n`,
      );
      return askUrl(dialogue, input, open);
    case 'sampling':
      dialogue.write(
        `\n${tell(say('cli-asks-model')`${server} wants to use the model ${markedLine(input.model)}:`)}\n`,
      );
      return askSampling(dialogue, input);
  }
}

async function askUrl(
  dialogue: Dialogue,
  { url }: Url,
  open: (url: string) => void,
): Promise<AnswerInput> {
  dialogue.write('\n');
  if (!(await dialogue.show(`  ${markHost(url)}\n`))) return { action: 'cancel' };
  const { hostname, protocol } = new URL(url);
  if (hostname.split('.').some((label) => label.startsWith('xn--')))
    dialogue.write(
      `${tell(say('cli-lookalike')`Warning: this domain contains look-alike characters and may imitate another domain.`)}\n`,
    );
  if (protocol === 'http:')
    dialogue.write(
      `${tell(say('cli-not-encrypted')`Warning: the connection to this page isn't encrypted.`)}\n`,
    );
  const answer = await dialogue.decision(
    tell(say('cli-open-question')`Open it? [y]es, [d]ecline, [C]ancel: `),
  );
  const letter = answer?.trim().toLowerCase().replace('/', '')[0];
  if (letter === 'd' || letter === 'n') return { action: 'decline' };
  if (!isYes(answer)) return { action: 'cancel' };
  open(url);
  return { action: 'accept' };
}

/** The whole address, with the part that says whose it is in bold. */
function markHost(url: string): string {
  const { host } = new URL(url);
  const at = url.indexOf('//') + 2;
  const parts = [url.slice(0, at), url.slice(at, at + host.length), url.slice(at + host.length)];
  const [before = '', name = '', after = ''] = parts.map(markedLine);
  return `${before}${styleText(['bold', 'underline'], name, ours)}${after}`;
}

async function askSampling(dialogue: Dialogue, { params }: Sampling): Promise<AnswerInput> {
  const { temperature } = params;
  const warmth =
    temperature === undefined ? '' : say('cli-temperature')`, temperature ${temperature}`;
  const lines = [
    ...(params.systemPrompt ? [`system: ${params.systemPrompt}`] : []),
    ...params.messages.map(
      ({ role, content }) => `${role}: ${content.map(describePart).join('\n')}`,
    ),
    ...(params.stopSequences ?? []).map((stop) => tell(say('cli-stop-at')`stop sequence: ${stop}`)),
    tell(say('cli-max-tokens')`(up to ${params.maxTokens} output tokens${warmth})`),
  ];
  if (!(await dialogue.show(lines.map(quotedText).join('\n')))) return { action: 'deny' };
  const answer = await dialogue.decision(
    tell(
      say('cli-sampling-question')`Send this and share the answer with the server? [y]es, [N]o: `,
    ),
  );
  return { action: isYes(answer) ? 'approve' : 'deny' };
}

function describePart(part: Sampling['params']['messages'][number]['content'][number]): string {
  if (part.type === 'text') return part.text;
  return `[${part.type}: ${part.mimeType}, ${Math.ceil(part.size / 1024)} KiB]`;
}
