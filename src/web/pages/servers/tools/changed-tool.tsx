import { type ReactElement, useId, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolView } from '#shared/api/api.ts';
import { type DiffPart, diffWords } from '#shared/text/word-diff.ts';
import { DecideButton } from '../../../features/exact/decide-button.tsx';
import { api } from '../../../state/session/api.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { firstOfDiff, WholeDiff } from '../../../ui/text/diff-view.tsx';
import { UnseenNote } from '../../../ui/text/unseen.tsx';
import { RehearseButton } from '../launch/rehearse-dialog.tsx';

interface ChangedToolProps {
  serverId: string;
  tool: ToolView;
}

/** A tool that is no longer what was approved: before, after, and the way to approve what it is now. */
export function ChangedTool(props: ChangedToolProps): ReactElement | null {
  const t = useTranslations('servers');
  const [state, approve] = useApproval(props);
  const [opened, setOpened] = useState(false);
  const noteId = useId();
  const { changed, definitionHash = '' } = props.tool;
  const parts = useMemo(() => partsOf(changed), [changed]);
  const rest = useMemo(() => (opened ? undefined : firstOfDiff(parts).rest), [opened, parts]);
  if (!changed || state === 'approved') return null;
  return (
    <div
      className="my-2 space-y-2 rounded-lg border border-line bg-warn-soft/60 p-3"
      data-testid="changed-tool"
    >
      <p className="text-sm font-medium">{t('toolChanged')}</p>
      <p className="text-xs text-muted">
        {t('before')} → {t('after')}
      </p>
      <WholeDiff parts={parts} rest={rest} onOpen={() => setOpened(true)} />
      {rest && <UnseenNote id={noteId} rest={rest} />}
      <div className="flex flex-wrap gap-2">
        <DecideButton
          shown={definitionHash}
          disabled={state === 'busy' || rest !== undefined}
          aria-describedby={rest && noteId}
          data-testid="approve-tool"
          onDecide={() => void approve()}
        >
          {t('approveTool')}
        </DecideButton>
        <RehearseButton serverId={props.serverId} />
      </div>
    </div>
  );
}

/** How far the approval is, and the way to give it. */
function useApproval({ serverId, tool }: ChangedToolProps) {
  const [state, setState] = useState<'asks' | 'busy' | 'approved'>('asks');
  const approve = async () => {
    setState('busy');
    try {
      await api.servers.approveTool(serverId, tool.name, tool.definitionHash ?? '');
      setState('approved');
    } catch (error) {
      showFailure(error);
      setState('asks');
    }
  };
  return [state, approve] as const;
}

function partsOf(changed: ToolView['changed']): DiffPart[] {
  if (!changed) return [];
  return diffWords(JSON.stringify(changed.before, null, 2), JSON.stringify(changed.after, null, 2));
}
