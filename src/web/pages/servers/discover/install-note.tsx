import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { SandboxView } from '#shared/api/server-api.ts';
import type { Json } from '#shared/vocabulary/json.ts';
import { isLimited } from '#shared/vocabulary/server-access.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { sameJson } from '../../../features/form/fits-node.ts';
import { NotEnforced } from '../launch/access-note.tsx';

/** What installing does, and what this machine cannot keep a program from. */
export function InstallNote(props: {
  config: unknown;
  sandbox: SandboxView | undefined;
}): ReactElement {
  const t = useTranslations('discover');
  const servers = useTranslations('servers');
  const config = (props.config ?? {}) as Partial<ServerConfig>;
  if (config.type !== 'stdio') return <p className="text-sm">{servers('connectText')}</p>;
  const isKept = isLimited(config.access);
  return (
    <div className="text-sm">
      <p>{t(isKept ? 'installRunsLimited' : 'installRuns')}</p>
      {isKept && <NotEnforced sandbox={props.sandbox} />}
    </div>
  );
}

/** Whether a server that was added is, to the letter, what the dialog showed; if not, it is shown anew. */
export function isSameConfig(config: unknown, server: ServerView): boolean {
  return sameJson(config as Json | undefined, server.config as Json | undefined);
}
