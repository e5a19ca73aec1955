import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerState } from '#shared/vocabulary/server.ts';

const looks = {
  draft: { color: 'bg-warn', text: 'stateDraft' },
  disabled: { color: 'bg-line-strong', text: 'stateDisabled' },
  idle: { color: 'border-2 border-muted', text: 'stateIdle' },
  installing: { color: 'bg-warn animate-pulse', text: 'stateInstalling' },
  connecting: { color: 'bg-warn animate-pulse', text: 'stateConnecting' },
  connected: { color: 'bg-ok', text: 'stateConnected' },
  reconnecting: { color: 'bg-warn animate-pulse', text: 'stateReconnecting' },
  'needs-auth': { color: 'bg-warn', text: 'stateNeedsAuth' },
  failed: { color: 'bg-danger', text: 'stateFailed' },
} as const satisfies Record<ServerState, { color: string; text: string }>;

/** A server's state as a dot; its words are a tool-tip and are read out. */
export function StateDot({ state }: { state: ServerState }): ReactElement {
  const label = useStateLabel()(state);
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`inline-block size-2 shrink-0 rounded-full ${looks[state].color}`}
    />
  );
}

/** Gives the words for a server's state. */
export function useStateLabel(): (state: ServerState) => string {
  const t = useTranslations('servers');
  return (state) => t(looks[state].text);
}
