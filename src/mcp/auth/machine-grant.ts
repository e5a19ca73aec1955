import { open } from 'node:fs/promises';
import { say } from '#shared/sentence.ts';
import type { ServerAuth } from '#shared/server-auth.ts';
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
  scope?: readonly string[];
  dpop?: DpopProver;
  now: () => number;
}

/** A token by the configured grant, asked for once: a refusal is final. Throws CeriseError. */
export async function requestMachineToken(ask: Ask, request: MachineRequest): Promise<TokenAnswer> {
  const { settings, discovery, scope, dpop, now } = request;
  const client = configuredClient(settings);
  if (!client)
    throw signInFailed(say('auth-no-client')`The settings of this server name no client.`);
  return await requestToken(ask, {
    server: discovery.authorizationServer,
    client,
    parameters: {
      ...(await grantOf(ask, request)),
      resource: discovery.resource,
      ...(scope && scope.length > 0 && { scope: scope.join(' ') }),
    },
    ...(dpop && { dpop }),
    now,
  });
}

async function grantOf(ask: Ask, request: MachineRequest): Promise<Record<string, string>> {
  const { settings, discovery, server, scope } = request;
  const bearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  switch (settings.grant) {
    case 'client_credentials':
      return { grant_type: 'client_credentials' };
    case 'workload':
      return { grant_type: bearer, assertion: await readAssertion(settings) };
    case 'enterprise': {
      const assertion = await exchangeIdentity(ask, {
        endpoint: checkEndpoint(settings.idpTokenEndpoint, 'idpTokenEndpoint', server),
        clientId: settings.idpClientId,
        clientSecret: settings.idpClientSecret,
        idToken: settings.idToken,
        issuer: discovery.authorizationServer.issuer,
        resource: discovery.resource,
        ...(scope && scope.length > 0 && { scope: scope.join(' ') }),
      });
      return { grant_type: bearer, assertion };
    }
  }
}

const longestAssertion = 32_768;
const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Only what looks like a JWT leaves this machine, whatever file was named. */
async function readAssertion(settings: {
  assertion?: string;
  assertionFile?: string;
}): Promise<string> {
  const text = settings.assertion ?? (await readFileStart(settings.assertionFile ?? ''));
  if (jwtForm.test(text.trim())) return text.trim();
  throw signInFailed(
    say('assertion-no-jwt')`The workload assertion of this server is not a signed token (JWT).`,
    {
      hint: say('assertion-check')`Check the assertion or the file that holds it.`,
    },
  );
}

async function readFileStart(path: string): Promise<string> {
  try {
    await using file = await open(path);
    if (!(await file.stat()).isFile()) return '';
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(longestAssertion) });
    return buffer.subarray(0, bytesRead).toString();
  } catch (cause) {
    throw signInFailed(
      say(
        'assertion-file-unreadable',
      )`The file with the workload assertion of this server cannot be read.`,
      {
        hint: say('assertion-file-check')`Check its path and its permissions.`,
        cause,
      },
    );
  }
}
