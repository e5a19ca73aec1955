import { ChevronRight } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Rehearsal, RehearsalPlan } from '#shared/api/server-api.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { LaunchFacts } from './launch-facts.tsx';

/** The way to try a server before it is approved. */
export function RehearseButton({ serverId }: { serverId: string }): ReactElement {
  const t = useTranslations('rehearsal');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} data-testid="rehearse">
        {t('open')}
      </Button>
      {open && <RehearseDialog serverId={serverId} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Shows exactly what would run; then what came of it. */
function RehearseDialog({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const t = useTranslations('rehearsal');
  const server = useCatalog((state) => state.servers.find(({ id }) => id === serverId));
  const load = (signal: AbortSignal) => api.servers.rehearsal(serverId, signal);
  const { value: plan, error } = useLoaded<RehearsalPlan>(load, serverId);
  const [made, setMade] = useState<Rehearsal>();
  return (
    <Modal
      open
      onClose={onClose}
      title={t('title', { name: server?.name ?? '' })}
      description={t('text')}
      isWide
    >
      {error && <ErrorNote error={error} />}
      {!made && server && <LaunchFacts config={server.config} launchHash={server.launchHash} />}
      {!made && plan && <Plan serverId={serverId} plan={plan} onMade={setMade} />}
      {made && <Outcome {...made} />}
    </Modal>
  );
}

interface PlanProps {
  serverId: string;
  plan: RehearsalPlan;
  onMade: (made: Rehearsal) => void;
}

function Plan({ serverId, plan, onMade }: PlanProps) {
  const t = useTranslations('rehearsal');
  const { launchHash, calls } = plan;
  const [busy, act] = useBusy();
  const start = async () => {
    const toolCallIds = calls.map(({ toolCallId }) => toolCallId);
    onMade(await api.servers.rehearse(serverId, { launchHash, toolCallIds }));
  };
  return (
    <div className="mt-4 space-y-3">
      <p className="text-sm font-medium">{calls.length > 0 ? t('calls') : t('noCalls')}</p>
      <ul className="space-y-1">
        {calls.map((call) => (
          <li key={call.toolCallId}>
            <CallText {...call} />
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button
          variant="primary"
          disabled={busy}
          data-testid="rehearse-start"
          onClick={() => void act(start)}
        >
          {busy ? t('running') : t('start')}
        </Button>
      </div>
    </div>
  );
}

/** What the tools have become, and each call whose result differs; the others are behind their count. */
function Outcome({ tools, calls }: Rehearsal) {
  const t = useTranslations('rehearsal');
  const kinds = (['added', 'removed', 'changed'] as const).filter((kind) => tools[kind].length > 0);
  const same = calls.filter(({ outcome }) => outcome === 'same');
  // The plan before it was longer, and scrolled to its button.
  const toTop = (element: HTMLElement | null) =>
    element?.closest('[role="dialog"]')?.scrollTo({ top: 0 });
  return (
    <div ref={toTop} className="space-y-3 text-sm" data-testid="rehearsal" role="status">
      {kinds.length === 0 && <p>{t('sameTools')}</p>}
      {kinds.map((kind) => (
        <p key={kind}>
          <span className="font-medium">{t(kind)}: </span>
          <VisibleText text={tools[kind].join(', ')} />
        </p>
      ))}
      <ul className="space-y-2">
        {calls
          .filter(({ outcome }) => outcome !== 'same')
          .map((call) => (
            <li
              key={call.toolCallId}
              className="rounded-lg border border-line p-2.5"
              data-outcome={call.outcome}
            >
              <p className="mb-1 font-medium">
                {t(call.outcome === 'failed' ? 'outcomes.failed' : 'outcomes.different')}
              </p>
              <CallText {...call} />
              <Differences {...call} />
            </li>
          ))}
      </ul>
      {same.length > 0 && <Same calls={same} />}
    </div>
  );
}

function Same({ calls }: Pick<Rehearsal, 'calls'>) {
  const t = useTranslations('rehearsal');
  return (
    <details className="group/same">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-md py-1 hover:text-ink">
        <ChevronRight
          aria-hidden
          className="size-4 transition-transform group-open/same:rotate-90"
        />
        {t('same', { count: calls.length })}
      </summary>
      <ul className="mt-1 space-y-1 pl-5">
        {calls.map((call) => (
          <li key={call.toolCallId} data-outcome={call.outcome}>
            <CallText {...call} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Differences(call: Rehearsal['calls'][number]) {
  const t = useTranslations('rehearsal');
  const { differences, error } = call;
  if (error) return <ErrorNote error={error} />;
  return differences.map(({ path, recorded = '—', replayed = '—' }) => (
    <dl key={path} className="mt-2 grid grid-cols-2 gap-x-3 text-xs">
      <dt className="col-span-2 font-mono text-muted">{path}</dt>
      {[
        [t('recorded'), recorded],
        [t('now'), replayed],
      ].map(([label = '', text = '']) => (
        <dd key={label} className="min-w-0 rounded-md bg-warn-soft px-2 py-1 break-words">
          <span className="block text-muted">{label}</span>
          <VisibleText text={text} />
        </dd>
      ))}
    </dl>
  ));
}

function CallText({
  toolName,
  arguments: args,
}: Pick<Rehearsal['calls'][number], 'toolName' | 'arguments'>) {
  return (
    <code className="block text-xs break-all">
      <VisibleText text={`${toolName} ${JSON.stringify(args)}`} />
    </code>
  );
}
