import { Languages } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type TranslationBlock } from '#shared/block.ts';
import { Markdown } from '../markdown/markdown.tsx';

/** A translation of what stands above it. */
export function TranslationView({ block }: { block: TranslationBlock }): ReactElement {
  const t = useTranslations('block');
  return (
    <section className="border-l-2 border-accent-text/50 pl-4">
      <p className="mb-1.5 flex items-center gap-1.5 text-xs font-medium text-muted">
        <Languages aria-hidden className="size-3.5" />
        {t('translation')}
      </p>
      <Markdown text={block.content} growing={isBlockOpen(block)} />
    </section>
  );
}
