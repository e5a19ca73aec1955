import { type ReactElement, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ClippedText } from '../../../ui/text/clipped-text.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { DataView } from './data-view.tsx';
import { textKind } from './result-kind.ts';

const minChars = 1500;

/** A text of a result: data as a table or a tree, Markdown rendered, anything else as it is. */
export function TextPart({ text }: { text: string }): ReactElement {
  const kind = useMemo(() => textKind(text), [text]);
  if (kind.kind === 'data') return <DataView value={kind.value} />;
  if (kind.kind === 'markdown') return <MarkdownPart text={text} />;
  return <ClippedText text={text} />;
}

function MarkdownPart({ text }: { text: string }) {
  const t = useTranslations('common');
  const [whole, setWhole] = useState(text.length <= minChars);
  const isLong = text.length > minChars;
  return (
    <div data-testid="markdown-part">
      <div
        className={`rounded-lg bg-sunken px-3.5 py-2.5 text-[0.9375rem] ${whole ? '' : 'max-h-72 overflow-hidden [mask-image:linear-gradient(to_bottom,black_75%,transparent)]'}`}
        inert={!whole}
      >
        <Markdown text={text} />
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1 rounded-md px-2 py-1 text-xs font-medium text-accent-text hover:bg-hover"
        >
          {whole ? t('showLess') : `${t('showAll')} (${text.length.toLocaleString()})`}
        </button>
      )}
    </div>
  );
}
