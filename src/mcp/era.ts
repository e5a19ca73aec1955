import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { ServerConfig } from '#shared/server.ts';

/** How servers answer that have never heard of the handshake: unknown method, unknown version. */
const handshakeUnknown: ReadonlySet<number> = new Set([-32601, -32022]);

/** How a connection is opened: `legacy` shakes hands, `modern` asks what is there, `auto` probes. */
export type Opening = 'legacy' | 'auto' | 'modern';

/**
 * HTTP is probed on the connection itself. A process is greeted the old way first: many old servers
 * end themselves on an unknown first request, and probing must not cost a second process.
 */
export function firstOpening(type: ServerConfig['type']): Opening {
  return type === 'streamableHttp' ? 'auto' : 'legacy';
}

/** What to try after a failed opening, if anything. Pure. */
export function nextOpening(
  type: ServerConfig['type'],
  tried: Opening,
  error: unknown,
): Opening | undefined {
  const unwelcome = ProtocolError.isInstance(error) && handshakeUnknown.has(error.code);
  if (type === 'stdio' && tried === 'legacy' && unwelcome) return 'modern';
  const undecided = SdkError.isInstance(error) && error.code === SdkErrorCode.EraNegotiationFailed;
  if (type === 'streamableHttp' && tried === 'auto' && undecided) return 'legacy';
  return undefined;
}
