import { CeriseError, messageOf } from '#shared/errors/errors.ts';
import { machineFull } from '#shared/errors/machine-full.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { RpcError } from '../protocol/messages.ts';

/** Where a failure happened: only a call that was sent can have an unknown outcome. */
export type Phase = 'connect' | 'list' | 'read' | 'call';

/** Gives anything the protocol or a channel threw its one meaning. Pure. */
export function classifyError(error: unknown, phase: Phase): CeriseError {
  if (error instanceof RpcError) return serverAnswered(error, phase);
  if (!(error instanceof CeriseError)) {
    const full = machineFull(error, 'connection_refused');
    if (full && phase !== 'call') return full;
    return new CeriseError('internal', say('our-side')`Something went wrong in Cerise.`, {
      cause: error,
    });
  }
  const didNotLeave = error instanceof CallError && error.reach === 'never-left';
  if (phase === 'call' && error.code === 'connection_lost' && !didNotLeave) {
    return new CeriseError(
      'outcome_unknown',
      say('outcome-not-known')`${messageOf(error)} It's unknown whether the tool finished.`,
      {
        hint: say('check-tool-before')`Check what the tool did before you repeat the call.`,
        cause: error,
      },
    );
  }
  return error;
}

function serverAnswered(error: RpcError, phase: Phase): CeriseError {
  const message = say('server-answered')`The server responded: ${truncate(error.message, 2000)}`;
  const about = { details: { code: error.code, ...requiredOf(error) }, cause: error };
  if (phase === 'call' && isUnknownTool(error)) {
    const hint = say('load-tools-again')`The list of tools may have changed. Reload it.`;
    return new CeriseError('tool_not_found', message, { hint, ...about });
  }
  if (isUnknownResource(error, phase)) {
    return new CeriseError('not_found', message, about);
  }
  return new CeriseError('protocol_error', message, about);
}

/** What a server would need of a client that calls it. */
function requiredOf({ code, data }: RpcError): object {
  if (code !== rpcCode.missingCapability || !isJsonObject(data)) return {};
  return { requiredCapabilities: data.requiredCapabilities };
}

/** The old code and the new one: what else could be invalid about an address? */
function isUnknownResource({ code }: RpcError, phase: Phase): boolean {
  if (phase === 'read' && code === rpcCode.invalidParams) return true;
  return (phase === 'read' || phase === 'list') && code === rpcCode.resourceNotFound;
}

function isUnknownTool({ code, message }: RpcError): boolean {
  if (code !== rpcCode.methodNotFound && code !== rpcCode.invalidParams) return false;
  return /tool.{0,200}(not found|unknown)|unknown tool/is.test(message);
}
