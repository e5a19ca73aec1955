import type { SandboxView } from '#shared/api/server-api.ts';
import { sentenceRef, say, type Sentence, textOf } from '#shared/errors/sentence.ts';
import { fullAccess } from '#shared/vocabulary/server-access.ts';
import type { Bubblewrap } from '../process/bubblewrap.ts';
import type { ProcessInfo } from '../process/process-tree.ts';
import type { ManagedServer } from './managed-server.ts';
import type { Diagnosis } from './server-status.ts';

/** Puts together what is known of a server; asks nobody. */
export function diagnose(
  server: ManagedServer,
  known: {
    auth: Diagnosis['auth'];
    processes: ProcessInfo[];
    sandbox: Bubblewrap | undefined;
  },
): Diagnosis {
  const { record, status, connection } = server;
  const { greeting } = connection ?? {};
  const next = hintFor(server);
  return {
    id: record.id,
    name: record.config.name,
    ...status,
    transport: {
      configured: record.config.type,
      ...(connection && connection.kind !== record.config.type && { used: connection.kind }),
    },
    ...(greeting && {
      era: greeting.agreement.era,
      protocolVersion: greeting.agreement.version,
      ...(greeting.serverInfo && { serverInfo: greeting.serverInfo }),
      capabilities: greeting.capabilities,
    }),
    probes: [...server.probes],
    auth: known.auth,
    cacheAges: server.catalog.ages(),
    lateAnswers: connection?.lateAnswers ?? 0,
    errors: [...server.errors],
    processes: known.processes,
    ...(record.config.type === 'stdio' && { access: record.config.access ?? fullAccess }),
    ...(known.sandbox && { sandbox: sandboxOf(known.sandbox) }),
    hint: next.text,
    hintSaid: sentenceRef(next),
  };
}

/** Whether the system keeps local servers to their access; if not, why. */
export function sandboxOf(bubblewrap: Bubblewrap): SandboxView {
  if ('program' in bubblewrap) return { works: true };
  const reasonSaid = sentenceRef(bubblewrap.reason);
  return { works: false, reason: textOf(bubblewrap.reason), ...(reasonSaid && { reasonSaid }) };
}

function hintFor({ status, record }: ManagedServer): Sentence {
  switch (status.state) {
    case 'draft':
      return say(
        'next-draft',
      )`Review its exact command and approve it. It won't start until you do.`;
    case 'disabled':
      return say('next-disabled')`Enable it to use its tools.`;
    case 'idle':
      return say('next-idle')`It connects automatically when it's first used.`;
    case 'installing':
      return say(
        'next-installing',
      )`It's being downloaded and installed. This can take a few minutes.`;
    case 'connecting':
      return say('next-connecting')`Please wait. If it fails, the reason will be shown here.`;
    case 'connected':
      return say('next-connected')`It's working.`;
    case 'needs-auth':
      return say('next-needs-auth')`Sign in to it, or fix the credentials in its headers.`;
    case 'reconnecting':
      return say('next-reconnecting')`It retries automatically. Restart it to retry now.`;
    case 'failed':
      return record.config.type === 'stdio'
        ? say('next-failed-process')`Fix the problem (see Log), then restart it.`
        : say('next-failed')`Fix the problem, then reconnect.`;
  }
}
