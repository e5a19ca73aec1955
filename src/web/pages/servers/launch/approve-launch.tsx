import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { isLimited } from '#shared/vocabulary/server-access.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { SandboxWarning } from './access-note.tsx';
import { allowServers } from './allow-servers.ts';
import { ApprovedServers } from './approved-servers.tsx';
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
  if (approved) return <ApprovedServers servers={approved} onClose={onClose} onTry={onTry} />;
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
      await allowServers(wanted);
      setApproved(wanted);
    });
  return { approved, busy, approve };
}

type StdioConfig = Extract<ServerConfig, { type: 'stdio' }>;

function useWords(servers: ServerView[]): { title: string; description: string } {
  const t = useTranslations('servers');
  const commands = servers.filter(({ type }) => type === 'stdio');
  const runs = commands.length > 0;
  const areLimited = commands.every(({ config }) => isLimited((config as StdioConfig).access));
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
