import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { type CompactBlock, isBlockOpen } from '#shared/vocabulary/block.ts';
import { Disclosure } from '../../ui/controls/disclosure.tsx';
import { useSentence } from '../../ui/notices/use-sentence.ts';
import { Markdown } from '../markdown/markdown.tsx';

/** A summary that stands for the conversation before it, or the note that this part is left out. */
export function CompactView({ block }: { block: CompactBlock }): ReactElement {
  const t = useTranslations('block');
  const sentence = useSentence();
  const open = isBlockOpen(block);
  const { content, note } = block;
  const told = note
    ? content.slice(0, note.at) + sentence(content.slice(note.at), note.said)
    : content;
  const text = <Markdown text={told} growing={open} />;
  const box = 'rounded-xl bg-sunken px-4 py-2';
  if (block.status === 'error') return <div className={`${box} text-[0.9375rem]`}>{text}</div>;
  const count = block.messageCount;
  return (
    <Disclosure summary={t(open ? 'compacting' : 'compact', { count })} className={box}>
      {() => <div className="pt-1 pb-2 text-[0.9375rem]">{text}</div>}
    </Disclosure>
  );
}
