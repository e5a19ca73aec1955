import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ServerView } from '#shared/api/api.ts';
import { accessFields } from '#shared/vocabulary/server-access.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { loadServers, useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { SandboxWarning } from './access-note.tsx';
import { ApprovedServer } from './approved-server.tsx';
import { LaunchFacts } from './launch-facts.tsx';
import { RehearseButton } from './rehearse-dialog.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';

interface ApproveLaunchProps {
  /** Drafts, and remote servers that are switched off. */
  servers: ServerView[];
  onClose: () => void;
  onTry: (server: ServerView, toolName: string) => void;
}

/** Shows exactly what each server runs or reaches; nothing does before this is approved. Then shows what came of it. */
export function ApproveLaunch({ servers, onClose, onTry }: ApproveLaunchProps): ReactElement {
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const wanted = servers.filter(({ id }) => !left.has(id));
  const words = useWords(servers);
  const { approved, busy, approve } = useApproval(wanted);
  // What was never used has no calls to repeat.
  const used = servers.length === 1 ? servers.find(({ lastUsedAt }) => lastUsedAt) : undefined;
  if (approved) return <Approved servers={approved} onClose={onClose} onTry={onTry} />;
  return (
    <Modal open onClose={onClose} {...words}>
      <Launches servers={servers} left={left} onLeft={setLeft} />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        {used && <RehearseButton serverId={used.id} />}
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button
          variant="primary"
          disabled={busy || wanted.length === 0}
          onClick={() => void approve()}
          data-testid="approve-server"
        >
          {servers.length === 1 ? t('approve') : t('approveCount', { count: wanted.length })}
        </Button>
      </div>
    </Modal>
  );
}

/** Those that were approved, and the way to approve them. */
function useApproval(wanted: ServerView[]) {
  const [approved, setApproved] = useState<ServerView[]>();
  const [busy, act] = useBusy();
  const approve = () =>
    act(async () => {
      try {
        for (const server of wanted) await allow(server);
        setApproved(wanted);
        for (const { id } of wanted) api.servers.act(id, 'connect').catch(() => undefined);
      } finally {
        await loadServers().catch(showFailure);
      }
    });
  return { approved, busy, approve };
}

type StdioConfig = Extract<ServerConfig, { type: 'stdio' }>;

function isLimited({ access }: StdioConfig): boolean {
  return accessFields(access).length > 0;
}

function useWords(servers: ServerView[]): { title: string; description: string } {
  const t = useTranslations('servers');
  const commands = servers.filter(({ type }) => type === 'stdio');
  const runs = commands.length > 0;
  const areLimited = commands.every(({ config }) => isLimited(config as StdioConfig));
  const text = t(areLimited ? 'approveLimitedText' : 'approveText', { count: servers.length });
  const one = runs ? t('approveTitle') : t('connectTitle');
  return {
    title: servers.length === 1 ? one : t('approveMany'),
    description: runs ? text : t('connectText'),
  };
}

interface LaunchesProps {
  servers: ServerView[];
  /** Those that are not approved with the others. */
  left: ReadonlySet<string>;
  onLeft: (left: ReadonlySet<string>) => void;
}

/** What each runs or reaches; of several, each can be left out. */
function Launches({ servers, left, onLeft }: LaunchesProps) {
  const choose = (id: string, on: boolean) => {
    const others = [...left].filter((one) => one !== id);
    onLeft(new Set(on ? others : [...others, id]));
  };
  return (
    <ul className="space-y-4">
      {servers.map((server) => (
        <li key={server.id}>
          {servers.length > 1 && (
            <Choice
              name={server.name}
              checked={!left.has(server.id)}
              onChange={(on) => choose(server.id, on)}
            />
          )}
          <LaunchFacts config={server.config} launchHash={server.launchHash} />
          {server.type === 'stdio' && <SandboxWarning server={server} />}
        </li>
      ))}
    </ul>
  );
}

/** What came of it, as it comes. */
function Approved({ servers, onClose, onTry }: ApproveLaunchProps) {
  const t = useTranslations('servers');
  return (
    <Modal open onClose={onClose} title={t('approvedTitle', { count: servers.length })}>
      <ul className="space-y-3">
        {servers.map(({ id }) => (
          <ApprovedServer key={id} serverId={id} onTry={onTry} />
        ))}
      </ul>
      <ApprovedActions servers={servers} onClose={onClose} />
    </Modal>
  );
}

/** The way on: to a chat that can use them, once one of them is connected. */
function ApprovedActions({ servers, onClose }: { servers: ServerView[]; onClose: () => void }) {
  const common = useTranslations('common');
  const sidebar = useTranslations('sidebar');
  const t = useTranslations('servers');
  const states = useCatalog((state) =>
    state.servers
      .filter(({ id }) => servers.some((one) => one.id === id))
      .map((server) => server.state)
      .join(' '),
  ).split(' ');
  const isReady = states.includes('connected');
  const goesOn = states.some((state) => state === 'installing' || state === 'connecting');
  return (
    <div className="mt-5 flex justify-end gap-2">
      <Button variant={isReady ? 'plain' : 'primary'} onClick={onClose} data-testid="approved-done">
        {goesOn ? t('inBackground') : common('done')}
      </Button>
      {isReady && (
        <Link href="/" className="button button-primary" data-testid="approved-chat">
          {sidebar('newChat')}
        </Link>
      )}
    </div>
  );
}

function Choice(props: { name: string; checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="mb-2 flex min-h-8 items-center gap-2.5 text-sm font-medium pointer-coarse:min-h-11">
      <Checkbox checked={props.checked} onCheck={props.onChange} />
      <span className="min-w-0 break-words">
        <VisibleText text={props.name} />
      </span>
    </label>
  );
}

/** A command is approved as it was shown; what is only reached is switched on. */
function allow({ id, state, launchHash }: ServerView): Promise<ServerView> {
  return state === 'draft'
    ? api.servers.approve(id, launchHash)
    : api.servers.update(id, { disabled: false });
}
