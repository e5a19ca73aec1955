import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Block } from '#shared/vocabulary/block.ts';

/** A part that this version does not know: its text, if it has any, is still shown. */
export function UnknownView({ block }: { block: Block }): ReactElement {
  const t = useTranslations('block');
  return (
    <div className="rounded-xl border border-dashed border-line-strong px-4 py-2.5 text-sm text-muted">
      <p>{t('unknown')}</p>
      {block.content && <p className="mt-1 whitespace-pre-wrap">{block.content}</p>}
    </div>
  );
}
