import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/block.ts';
import type { Message } from '#shared/message.ts';
import { type Decision, decideAll } from '../blocks/tool/decide.ts';
import { showFailure } from '../state/notices.ts';
import { Button } from '../ui/button.tsx';

/** One row to decide on several waiting calls at once. */
export function ApprovalBatch({ message }: { message: Message }): ReactElement | null {
  const t = useTranslations('approval');
  const [busy, setBusy] = useState(false);
  const asking = message.blocks.filter(
    (block): block is ToolBlock =>
      block.type === 'tool' && block.approval !== undefined && isBlockOpen(block),
  );
  if (asking.length < 2) return null;
  const choose = async (decision: Decision) => {
    setBusy(true);
    try {
      await decideAll(asking, decision);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-xl border border-line bg-warn-soft px-3.5 py-2.5 text-sm">
      <p className="mr-auto font-medium">{t('several', { count: asking.length })}</p>
      <Button variant="danger" disabled={busy} onClick={() => void choose('deny')}>
        {t('denyAll')}
      </Button>
      <Button variant="primary" disabled={busy} onClick={() => void choose('once')}>
        {t('approveAll')}
      </Button>
    </div>
  );
}
