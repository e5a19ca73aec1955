import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { TextBlock } from '#shared/block.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Disclosure } from '../ui/disclosure.tsx';

/** A summary that stands for the conversation before it. */
export function CompactView({ block }: { block: TextBlock }): ReactElement {
  const t = useTranslations('block');
  return (
    <Disclosure summary={t('compact')} className="rounded-xl bg-sunken px-4 py-2">
      {() => (
        <div className="pt-1 pb-2 text-[0.9375rem]">
          <Markdown text={block.content} />
        </div>
      )}
    </Disclosure>
  );
}
