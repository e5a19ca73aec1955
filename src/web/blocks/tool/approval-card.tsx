import { ShieldQuestion } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolBlock } from '#shared/block.ts';
import { showFailure } from '../../state/notices.ts';
import { Button } from '../../ui/button.tsx';
import { ArgumentsView } from './arguments-view.tsx';
import { decide, type Decision } from './decide.ts';

/** Asks whether a call may run: what, where, with exactly which arguments, and why it is asked. */
export function ApprovalCard({ block }: { block: ToolBlock }): ReactElement {
  const t = useTranslations('approval');
  const [busy, setBusy] = useState(false);
  const choose = async (decision: Decision) => {
    setBusy(true);
    try {
      await decide(block, decision);
    } catch (error) {
      showFailure(error);
      setBusy(false);
    }
  };
  return (
    <div
      role="group"
      aria-label={t('title')}
      className="border-t border-line bg-warn-soft/60 px-3.5 py-3"
    >
      <p className="flex items-center gap-2 text-sm font-medium">
        <ShieldQuestion aria-hidden className="size-4 text-warn" />
        {t('title')}
      </p>
      <p className="mt-0.5 pl-6 text-sm text-muted">
        {t('where', { tool: block.toolName, server: block.serverName })}
        {block.approval && ` · ${t('rule', { rule: block.approval.rule })}`}
      </p>
      <div className="mt-3">
        <ArgumentsView value={block.arguments} />
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="primary"
          data-testid="approve"
          disabled={busy}
          onClick={() => void choose('once')}
        >
          {t('once')}
        </Button>
        <Button disabled={busy} data-testid="approve-topic" onClick={() => void choose('topic')}>
          {t('topic')}
        </Button>
        <Button disabled={busy} data-testid="approve-always" onClick={() => void choose('always')}>
          {t('always')}
        </Button>
        <Button
          variant="danger"
          data-testid="deny"
          disabled={busy}
          className="sm:ml-auto"
          onClick={() => void choose('deny')}
        >
          {t('deny')}
        </Button>
      </div>
    </div>
  );
}
