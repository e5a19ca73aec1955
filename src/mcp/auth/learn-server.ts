import { isWithin } from '#shared/async/clock.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { boundToIssuer, type ServerAuth } from '#shared/vocabulary/server-auth.ts';
import { type Ask, signInFailed } from './ask.ts';
import type { AuthenticateHeader } from './challenge.ts';
import { discover, type Discovery } from './discovery.ts';
import { isSameIssuer } from './metadata.ts';
import type { AuthFacts, Records } from './records.ts';

/** Several requests that are refused together ask only once. */
const recentMs = 30_000;

/** What is to be found out, and from which refusal. */
export interface LearnRequest {
  server: URL;
  settings?: ServerAuth | undefined;
  asked: AuthenticateHeader;
  /** Tokens are in hand, so look again (the authorization server may have moved), but go on without. */
  mayFallBack: boolean;
  now: number;
  log: Logger;
}

/** Finds out who gives tokens for a server, and keeps it together with what the server asked for. */
export async function learnServer(
  ask: Ask,
  records: Records,
  request: LearnRequest,
): Promise<AuthFacts> {
  const { server, asked, now } = request;
  const stored = await records.facts();
  const before = stored?.serverUrl === server.href ? stored : undefined;
  const resourceMetadata = asked.resourceMetadata ?? before?.challenge.resourceMetadata;
  const challenge = { scope: asked.scope, dpop: asked.dpop, resourceMetadata };
  const isRecent = before !== undefined && isWithin(before.at, recentMs, now);
  if (isRecent && !request.mayFallBack) {
    const facts = { ...before, challenge };
    await records.saveFacts(facts);
    return facts;
  }
  const discovery = await look(ask, { ...request, before, resourceMetadata });
  const facts = {
    serverUrl: server.href,
    discovery,
    at: now,
    challenge,
    refused: before?.refused ?? [],
  };
  await records.saveFacts(facts);
  return facts;
}

/** With tokens in hand, metadata that are gone change nothing; only ones that differ do. */
async function look(
  ask: Ask,
  request: LearnRequest & {
    before?: AuthFacts | undefined;
    resourceMetadata?: string | undefined;
  },
): Promise<Discovery> {
  const { server, settings, before, resourceMetadata, mayFallBack, log } = request;
  try {
    const discovery = await discover(ask, {
      server,
      resourceMetadata,
      requiredIssuer: settings?.authorizationServer,
      knownIssuer: before?.discovery.authorizationServer.issuer,
    });
    return discovery.assumed && before && mayFallBack ? before.discovery : discovery;
  } catch (error) {
    if (!before || !mayFallBack) throw error;
    const fields = { server: server.host, error: toErrorInfo(error) };
    log.warn(fields, 'Could not look up the authorization server; using the stored one');
    return before.discovery;
  }
}

/** Whether tokens for a server are bound to a key: it wants that, and they can be had so. */
export function usesDpop({ discovery, challenge }: AuthFacts): boolean {
  return discovery.authorizationServer.dpop && (challenge.dpop || discovery.dpopRequired);
}

/**
 * A configured client belongs to one authorization server: the one that is named with it, or else the
 * first it was used with. Throws CeriseError before anything of it goes to another.
 */
export async function pinClient(
  records: Records,
  settings: ServerAuth | undefined,
  issuer: string,
): Promise<void> {
  if (settings?.clientId === undefined || settings.authorizationServer !== undefined) return;
  const secrets = boundToIssuer(settings).map(([, value]) => value);
  const client = { clientId: settings.clientId, secrets };
  const pinned = await records.pinnedIssuer(client);
  if (pinned === undefined) return await records.pinIssuer(client, issuer);
  if (isSameIssuer(pinned, issuer)) return;
  throw signInFailed(
    say(
      'auth-client-elsewhere',
    )`The server now uses a different authorization server from the one its client is registered with.`,
    {
      hint: say(
        'auth-client-elsewhere-hint',
      )`The client is registered with ${new URL(pinned).host}, but the server now points to ${new URL(issuer).host}. If that's right, enter a client for the new one, or set it as the authorization server.`,
      details: { pinned, issuer },
    },
  );
}
