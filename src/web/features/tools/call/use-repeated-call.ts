import { useEffect, useRef, useState } from 'react';
import type { CalledTool } from '#client/api/servers.ts';
import { newKey } from '#client/http/key.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { api } from '../../../state/session/api.ts';
import type { AskingCall } from '../approval/decide.ts';

/** What is called, and where. */
export type CallTarget = Pick<AskingCall, 'serverId' | 'serverName' | 'toolName' | 'arguments'> &
  Pick<AskingCall, 'messageId'> & {
    /** Of an answer: the call that is made again. */
    toolCallId?: string;
  };
type OpenCall = Pick<AskingCall, 'toolCallId' | 'argsHash' | 'arguments' | 'approval'>;

/** A call outside of an answer, as far as it has come. */
export type RepeatedCall =
  | { state: 'running'; id: string; since: number }
  /** `asked` is what a card needs to know to ask. */
  | { state: 'asking'; id: string; since: number; asked: OpenCall }
  | { state: 'done'; result: ToolResult; time: number }
  | { state: 'failed'; error: ErrorInfo };

const pollIntervalMs = 700;

/**
 * Runs a call outside of any answer, for as long as somebody looks. `id` is that of the last one. With
 * `approve` the user has the arguments in view when running it, and is not asked about them.
 */
export function useRepeatedCall(
  target: CallTarget,
  { approve }: { approve?: 'once' } = {},
): { call?: RepeatedCall; id?: string; run: () => void } {
  const [call, setCall] = useState<RepeatedCall>();
  const [last, setLast] = useState<string>();
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  const run = () => {
    const id = newKey();
    const since = Date.now();
    setLast(id);
    left.current?.abort();
    left.current = new AbortController();
    const { signal } = left.current;
    const show = (next: RepeatedCall) => signal.aborted || setCall(next);
    show({ state: 'running', id, since });
    const { serverId, toolName, arguments: args, toolCallId: repeats } = target;
    api.servers
      .callTool(serverId, toolName, {
        arguments: args,
        callId: id,
        ...(repeats && { repeats }),
        ...(approve && { approve }),
      })
      .then((called) => settle(called, since, show, signal))
      .then(show, (error: unknown) => show({ state: 'failed', error: toErrorInfo(error) }));
  };
  return { ...(call && { call }), ...(last && { id: last }), run };
}

async function settle(
  called: CalledTool,
  since: number,
  show: (call: RepeatedCall) => unknown,
  signal: AbortSignal,
): Promise<RepeatedCall> {
  if (!('state' in called)) return { state: 'done', result: called, time: Date.now() - since };
  const { id } = called;
  show({ state: 'asking', id, since, asked: toOpenCall(called) });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    const view = await api.toolCalls.read(id, signal);
    const ended = outcomeOf(view);
    if (ended) return ended;
    if (view.state !== 'proposed') show({ state: 'running', id, since: view.startedAt ?? since });
  }
}

function toOpenCall({ id, argsHash, rule, arguments: args }: ToolCallView): OpenCall {
  return {
    toolCallId: id,
    argsHash,
    arguments: args,
    approval: { rule: rule ?? '' },
  };
}

/** How a call ended; undefined while it has not. */
function outcomeOf(view: ToolCallView): RepeatedCall | undefined {
  if (view.endedAt === undefined) return undefined;
  const { startedAt = view.createdAt, endedAt } = view;
  if (view.result) return { state: 'done', result: view.result, time: endedAt - startedAt };
  return { state: 'failed', error: view.error ?? { code: 'denied', message: '' } };
}
