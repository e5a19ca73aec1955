import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ThinkingBlock } from '#shared/vocabulary/block.ts';
import { Disclosure } from '../../ui/controls/disclosure.tsx';
import { useDuration } from '../../ui/text/duration.ts';
import { Elapsed } from '../../ui/text/elapsed.tsx';
import { Markdown } from '../markdown/markdown.tsx';

/** Nobody counts a thought in milliseconds. */
const secondMs = 1000;

/** The model's thinking: folded, with how long it took. */
export function ThinkingView({ block }: { block: ThinkingBlock }): ReactElement {
  const t = useTranslations('block');
  const duration = useDuration();
  const open = isBlockOpen(block);
  const took = block.endedAt === undefined ? 0 : block.endedAt - block.startedAt;
  const short = took === 0 ? t('thought') : t('thoughtBriefly');
  const done = took < secondMs ? short : t('thoughtFor', { duration: duration(took) });
  const summary = open ? (
    <>
      <span className="animate-pulse">{t('thinking')}</span>
      <Elapsed since={block.startedAt} />
    </>
  ) : (
    done
  );
  if (!open && block.content === '') return <p className="text-sm text-muted">{done}</p>;
  return (
    <Disclosure summary={summary}>
      {() => (
        <div className="mt-1 ml-[0.4rem] border-l border-line pl-4 text-[0.9375rem] text-muted">
          <Markdown text={block.content} growing={isBlockOpen(block)} />
        </div>
      )}
    </Disclosure>
  );
}
