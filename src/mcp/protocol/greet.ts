import { CeriseError, wordsOf } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Agreement, Channel, Era } from './channel.ts';
import {
  type Greeting,
  judgeHandshake,
  judgeProbe,
  newestLegacy,
  readDiscovery,
  readHandshake,
} from './greeting.ts';
import { RpcError } from './messages.ts';
import { pause } from './pause.ts';
import type { RpcPeer } from './peer.ts';

/** Who says nothing about the probe for this long is greeted the old way too. */
const silence = { stdio: 1000, streamableHttp: 5000 };

/** What we tell of ourselves. */
export interface Introduction {
  clientInfo: JsonObject;
  capabilities: JsonObject;
  /** The `_meta` of every modern request. */
  meta: JsonObject;
}

interface Greeter {
  peer: RpcPeer;
  channel: Channel;
  introduction: Introduction;
  signal: AbortSignal;
  /** Milliseconds for each answer. */
  initialiseTime: number;
  /** Told each question and what came of it. */
  note: (words: Words) => void;
}

/**
 * Finds out which era the server speaks and greets it, on this one channel: no second process, and no
 * waiting for an old server that is silent about what it does not know. `known` is an earlier verdict.
 */
export async function greet(greeter: Greeter, known: Era | undefined): Promise<Greeting> {
  const { kind } = greeter.channel;
  const mayBeModern = kind === 'stdio' || kind === 'streamableHttp';
  const greeting = await (mayBeModern && known !== 'legacy'
    ? probeThenShake(greeter, silence[kind])
    : shakeThenProbe(greeter, mayBeModern));
  greeter.channel.agree(greeting.agreement);
  if (greeting.agreement.era === 'legacy') greeter.peer.notify('notifications/initialized');
  return greeting;
}

async function probeThenShake(greeter: Greeter, patience: number): Promise<Greeting> {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([greeter.signal, giveUp.signal]);
  const probe = settled(discover({ ...greeter, signal }, greeter.initialiseTime));
  const quick = await Promise.race([probe, pause(patience, signal)]);
  if (quick) {
    giveUp.abort();
    return conclude(greeter, quick);
  }
  greeter.note(
    say('probe-no-answer')`server/discover: no response yet, trying the older handshake as well`,
  );
  // The old greeting stands behind the probe in the same pipe: a server answers the one it understands.
  const handshake = settled(shake(greeter, newestLegacy));
  const late = probe.then(onlyModern);
  const first = await Promise.race([late, handshake]);
  const found = first.greeting ?? (await handshake).greeting ?? (await late).greeting;
  giveUp.abort();
  if (found) return found;
  const refused = (await handshake).error;
  throw judgeHandshake(refused).kind === 'modern' ? (await late).error : refused;
}

/** A discovery that names old versions only is no meeting: the handshake is under way. */
function onlyModern(probe: Settled): Settled {
  if (probe.greeting?.agreement.era !== 'legacy') return probe;
  return {
    error: new CeriseError(
      'protocol_error',
      say('only-older')`The server only supports older protocol versions.`,
    ),
  };
}

/** What to do after the probe alone has been answered. */
async function conclude(greeter: Greeter, probe: Settled): Promise<Greeting> {
  if (probe.greeting) return followVersion(greeter, probe.greeting);
  const verdict = judgeProbe(probe.error);
  if (verdict.kind === 'failed') throw verdict.error;
  if (verdict.kind === 'version') return followVersion(greeter, verdict);
  return shakeThenProbe(greeter, true);
}

/** The handshake first; a server that knows only the modern way says so by its refusal. */
async function shakeThenProbe(greeter: Greeter, mayBeModern: boolean): Promise<Greeting> {
  try {
    return await shake(greeter, newestLegacy);
  } catch (error) {
    if (!mayBeModern) throw error;
    const refusal = judgeHandshake(error);
    if (refusal.kind === 'version') return shake(greeter, refusal.agreement.version);
    if (refusal.kind === 'failed') throw error;
    const found = await settled(discover(greeter, greeter.initialiseTime));
    if (found.greeting?.agreement.era === 'modern') return found.greeting;
    throw refusal.kind === 'modern' && found.error ? found.error : error;
  }
}

/** A server may name an older version as the one we share: then it wants a handshake. */
async function followVersion(
  greeter: Greeter,
  found: { agreement: Agreement } | Greeting,
): Promise<Greeting> {
  const { era, version } = found.agreement;
  if (era === 'legacy') return shake(greeter, version);
  if ('capabilities' in found) return found;
  const again = await discover(greeter, greeter.initialiseTime);
  if (again.agreement.era === 'modern') return again;
  throw new CeriseError(
    'protocol_error',
    say('version-contradiction')`The server reports conflicting protocol versions.`,
  );
}

async function discover(greeter: Greeter, time: number): Promise<Greeting> {
  const result = await ask(greeter, 'server/discover', { _meta: greeter.introduction.meta }, time);
  const greeting = readDiscovery(result);
  if (greeting) return greeting;
  throw new CeriseError(
    'unreadable_response',
    say('probe-unreadable')`The server's response to the probe can't be read.`,
  );
}

async function shake(greeter: Greeter, protocolVersion: string): Promise<Greeting> {
  const { clientInfo, capabilities } = greeter.introduction;
  const params = { protocolVersion, capabilities, clientInfo };
  return readHandshake(await ask(greeter, 'initialize', params, greeter.initialiseTime));
}

async function ask(
  { peer, signal, note }: Greeter,
  method: string,
  params: JsonObject,
  time: number,
): Promise<unknown> {
  try {
    const options = { limits: { total: time }, signal, repeatable: true };
    const result = await peer.request(method, params, options);
    note(say('probe-answered')`${method}: responded`);
    return result;
  } catch (error) {
    const code = error instanceof RpcError ? `error ${error.code}, ` : '';
    note(say('probe-failed')`${method}: ${code}${wordsOf(error)}`);
    throw error;
  }
}

type Settled = { greeting: Greeting; error?: undefined } | { greeting?: undefined; error: unknown };

async function settled(promise: Promise<Greeting>): Promise<Settled> {
  try {
    return { greeting: await promise };
  } catch (error) {
    return { error };
  }
}
