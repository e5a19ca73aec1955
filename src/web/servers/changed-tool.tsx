import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolView } from '#shared/api.ts';
import { serversApi } from '../api/servers-api.ts';
import { showFailure } from '../state/notices.ts';
import { Button } from '../ui/button.tsx';
import { DiffView } from '../ui/diff-view.tsx';

/** A tool that is no longer what was approved: before, after, and the way to approve what it is now. */
export function ChangedTool(props: { serverId: string; tool: ToolView }): ReactElement | null {
  const t = useTranslations('servers');
  const [state, setState] = useState<'asks' | 'busy' | 'approved'>('asks');
  const { changed, definitionHash = '', name } = props.tool;
  if (!changed || state === 'approved') return null;
  const approve = async () => {
    setState('busy');
    try {
      await serversApi.approveTool(props.serverId, name, definitionHash);
      setState('approved');
    } catch (error) {
      showFailure(error);
      setState('asks');
    }
  };
  return (
    <div
      className="my-2 space-y-2 rounded-lg border border-line bg-warn-soft/60 p-3"
      data-testid="changed-tool"
    >
      <p className="text-sm font-medium">{t('toolChanged')}</p>
      <p className="text-xs text-muted">
        {t('before')} → {t('after')}
      </p>
      <DiffView
        before={JSON.stringify(changed.before, null, 2)}
        after={JSON.stringify(changed.after, null, 2)}
      />
      <Button disabled={state === 'busy'} onClick={() => void approve()}>
        {t('approveTool')}
      </Button>
    </div>
  );
}
