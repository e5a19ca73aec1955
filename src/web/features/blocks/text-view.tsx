import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type TextBlock } from '#shared/vocabulary/block.ts';
import { Markdown } from '../markdown/markdown.tsx';

/** The answer's own words; those that were cut and asked for again stand back, and say so. */
export function TextView({ block }: { block: TextBlock }): ReactElement {
  const t = useTranslations('message');
  const text = <Markdown text={block.content} growing={isBlockOpen(block)} />;
  if (block.status !== 'interrupted') return text;
  return (
    <div className="border-l-2 border-line-strong pl-4 text-muted">
      <p className="mb-1.5 text-xs font-medium">{t('interrupted')}</p>
      {text}
    </div>
  );
}
