import { argumentsText } from '#shared/answer/answer-cursor.ts';
import { say } from '#shared/errors/sentence.ts';
import { markedText } from '#shared/text/visible-text.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Decision } from '#shared/vocabulary/policy-api.ts';
import { tell } from '../messages/tell.ts';
import { permissionSchema, readParams } from './acp-schema.ts';
import { callFacts, textContent } from './acp-updates.ts';

type Option = Pick<Decision, 'decision' | 'scope'>;

const options: Readonly<Record<string, Option>> = {
  once: { decision: 'approve', scope: 'once' },
  topic: { decision: 'approve', scope: 'topic' },
  always: { decision: 'approve', scope: 'always' },
  deny: { decision: 'deny', scope: 'once' },
};

/**
 * The request for permission to make a call: with all its arguments, and everything hidden in them made visible. The
 * tool is shown by its name, since a title is whatever the server says.
 */
export function permissionRequest(block: ToolBlock): object {
  const content = [textContent(markedText(argumentsText(block)))];
  const { title: _, ...named } = block;
  const { title, ...facts } = callFacts(named);
  return {
    toolCall: { ...facts, title: markedText(title), status: 'pending', content },
    options: [
      { optionId: 'once', name: tell(say('cli-acp-once')`Allow once`), kind: 'allow_once' },
      {
        optionId: 'topic',
        name: tell(say('cli-acp-in-chat')`Allow in this chat`),
        kind: 'allow_always',
      },
      { optionId: 'always', name: tell(say('cli-acp-always')`Always allow`), kind: 'allow_always' },
      { optionId: 'deny', name: tell(say('cli-acp-deny')`Deny`), kind: 'reject_once' },
    ],
  };
}

/** The person's decision; undefined if there was none. */
export function decisionOf(said: unknown): Option | undefined {
  const { outcome } = readParams(permissionSchema, said);
  if (outcome.outcome === 'cancelled') return undefined;
  return Object.hasOwn(options, outcome.optionId) ? options[outcome.optionId] : undefined;
}
