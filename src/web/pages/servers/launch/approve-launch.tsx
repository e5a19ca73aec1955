import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { loadServers } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { SandboxWarning } from './access-note.tsx';
import { ApprovedServer } from './approved-server.tsx';
import { LaunchFacts } from './launch-facts.tsx';

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
  const [approved, setApproved] = useState<ServerView[]>();
  const [busy, setBusy] = useState(false);
  const wanted = servers.filter(({ id }) => !left.has(id));
  const approve = async () => {
    setBusy(true);
    try {
      for (const server of wanted) await allow(server);
      setApproved(wanted);
      for (const { id } of wanted) api.servers.act(id, 'connect').catch(() => undefined);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
      await loadServers().catch(showFailure);
    }
  };
  if (approved)
    return (
      <Modal open onClose={onClose} title={t('approvedTitle', { count: approved.length })}>
        <ul className="space-y-3">
          {approved.map(({ id }) => (
            <ApprovedServer key={id} serverId={id} onTry={onTry} />
          ))}
        </ul>
        <div className="mt-5 flex justify-end">
          <Button variant="primary" onClick={onClose} data-testid="approved-done">
            {common('done')}
          </Button>
        </div>
      </Modal>
    );
  const runs = servers.some(({ type }) => type === 'stdio');
  const text = servers.length === 1 ? t('approveText') : t('approveManyText');
  const one = runs ? t('approveTitle') : t('connectTitle');
  return (
    <Modal
      open
      onClose={onClose}
      title={servers.length === 1 ? one : t('approveMany')}
      description={runs ? text : t('connectText')}
    >
      <ul className="space-y-4">
        {servers.map((server) => (
          <li key={server.id}>
            {servers.length > 1 && (
              <Choice
                name={server.name}
                checked={!left.has(server.id)}
                onChange={(on) => {
                  const others = [...left].filter((id) => id !== server.id);
                  setLeft(new Set(on ? others : [...others, server.id]));
                }}
              />
            )}
            <LaunchFacts config={server.config} launchHash={server.launchHash} />
            {server.type === 'stdio' && <SandboxWarning server={server} />}
          </li>
        ))}
      </ul>
      <div className="mt-5 flex justify-end gap-2">
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

function Choice(props: { name: string; checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="mb-2 flex min-h-8 items-center gap-2.5 text-sm font-medium pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={props.checked}
        className="size-4 shrink-0 accent-accent"
        onChange={(event) => props.onChange(event.target.checked)}
      />
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
