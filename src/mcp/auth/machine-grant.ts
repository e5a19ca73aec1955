import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { ServerAuth } from '#shared/vocabulary/server-auth.ts';
import { type Ask, signInFailed } from './ask.ts';
import { configuredClient } from './client-auth.ts';
import type { Discovery } from './discovery.ts';
import type { DpopProver } from './dpop.ts';
import { checkEndpoint } from './endpoint-url.ts';
import { exchangeIdentity, requestToken, type TokenAnswer } from './token-endpoint.ts';

/** The settings of a server whose tokens need no person. */
export type MachineAuth = Exclude<ServerAuth, { grant: 'authorization_code' }>;

/** Whether tokens are had without a person. */
export function isMachine(settings: ServerAuth | undefined): settings is MachineAuth {
  return settings !== undefined && settings.grant !== 'authorization_code';
}

/** What a machine asks for. */
export interface MachineRequest {
  settings: MachineAuth;
  server: URL;
  discovery: Discovery;
  scope?: readonly string[] | undefined;
  dpop?: DpopProver | undefined;
  now: () => number;
  log: Logger;
}

/** A token by the configured grant, asked for once: a refusal is final. Throws CeriseError. */
export async function requestMachineToken(ask: Ask, request: MachineRequest): Promise<TokenAnswer> {
  const { settings, discovery, dpop, now } = request;
  const client = configuredClient(settings);
  if (!client)
    throw signInFailed(say('auth-no-client')`No client is set in this server's settings.`);
  return await requestToken(ask, {
    server: discovery.authorizationServer,
    client,
    parameters: {
      ...(await grantOf(ask, request)),
      resource: discovery.resource,
      scope: scopeText(request),
    },
    dpop,
    now,
  });
}

async function grantOf(ask: Ask, request: MachineRequest): Promise<Record<string, string>> {
  const { settings, discovery, server } = request;
  const bearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  switch (settings.grant) {
    case 'client_credentials':
      return { grant_type: 'client_credentials' };
    case 'workload':
      return { grant_type: bearer, assertion: await readAssertion(settings, request.log) };
    case 'enterprise': {
      const assertion = await exchangeIdentity(ask, {
        endpoint: checkEndpoint(settings.idpTokenEndpoint, 'idpTokenEndpoint', server),
        clientId: settings.idpClientId,
        clientSecret: settings.idpClientSecret,
        idToken: settings.idToken,
        issuer: discovery.authorizationServer.issuer,
        resource: discovery.resource,
        scope: scopeText(request),
      });
      return { grant_type: bearer, assertion };
    }
  }
}

/** Undefined where nothing in particular is asked for. */
function scopeText({ scope = [] }: MachineRequest): string | undefined {
  return scope.length === 0 ? undefined : scope.join(' ');
}

const maxAssertionBytes = 32_768;
const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/**
 * Only what looks like a JWT leaves this machine, whatever file was named. The error is the same for every
 * other file, and for none: what is on this machine is told to its log alone.
 */
async function readAssertion(
  {
    assertion,
    assertionFile = '',
  }: { assertion?: string | undefined; assertionFile?: string | undefined },
  log: Logger,
): Promise<string> {
  const read = assertion === undefined ? await readFileStart(assertionFile) : { text: assertion };
  if ('text' in read && jwtForm.test(read.text.trim())) return read.text.trim();
  if (assertion === undefined) {
    const problem = 'text' in read ? 'It does not hold a JWT.' : read.problem;
    log.warn({ assertionFile, problem }, 'Could not read a workload assertion');
  }
  throw signInFailed(
    say(
      'assertion-unusable',
    )`This server's workload assertion isn't a signed token (JWT), or its file can't be read.`,
    {
      hint: say('assertion-check')`Check the assertion or its file. The host's log has details.`,
    },
  );
}

/** Never waits: opening a pipe without its other end would. */
async function readFileStart(path: string): Promise<{ text: string } | { problem: string }> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return { problem: 'It is not a file.' };
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(maxAssertionBytes) });
    return { text: buffer.subarray(0, bytesRead).toString() };
  } catch (error) {
    return { problem: systemCode(error) ?? 'It could not be opened.' };
  }
}
