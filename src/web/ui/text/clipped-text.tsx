import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';

const maxChars = 1600;
const mostLines = 16;

/** Text in its own shape; a long one is cut until the reader asks for all of it. */
export function ClippedText({
  text,
  bare = false,
}: {
  text: string;
  bare?: boolean;
}): ReactElement {
  const t = useTranslations('common');
  const [whole, setWhole] = useState(false);
  const short = clip(text);
  const clipped = short.length < text.length;
  return (
    <>
      <pre tabIndex={bare ? undefined : 0} className={bare ? bareLook : 'json'}>
        {whole ? text : short}
        {clipped && !whole && '…'}
      </pre>
      {clipped && (
        <button
          type="button"
          onClick={() => setWhole(!whole)}
          className="mt-1 rounded-md px-2 py-1 text-xs font-medium text-accent-text hover:bg-hover"
        >
          {whole ? t('showLess') : `${t('showAll')} (${text.length.toLocaleString()})`}
        </button>
      )}
    </>
  );
}

const bareLook = 'font-mono text-[0.8125rem] leading-relaxed break-words whitespace-pre-wrap';

function clip(text: string): string {
  const head = text.slice(0, maxChars);
  const lines = head.split('\n');
  return lines.length > mostLines ? lines.slice(0, mostLines).join('\n') : head;
}
