import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../state/session/api.ts';
import { useLoaded } from '../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import type { Medium } from './media-source.ts';

const firstBytes = 16_384;
const mostLines = 40;
const mostChars = 4000;

/** The beginning of a text file, read when it is shown. */
export function TextPreview({ block }: { block: Medium }): ReactElement {
  const common = useTranslations('common');
  const { data = '', stored } = block;
  const { value, error } = useLoaded(
    async (signal) =>
      stored?.size ? api.files.firstText(stored.id, firstBytes, signal) : decode(data),
    stored?.id ?? data,
  );
  if (error) return <ErrorNote error={error} />;
  if (value === undefined) return <p className="mt-2 text-sm text-muted">{common('loading')}</p>;
  return <FirstLines text={value} />;
}

/** The first lines of a text, exactly as they are but for how a line ends. */
export function FirstLines({ text }: { text: string }): ReactElement {
  const t = useTranslations('block');
  const whole = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const first = whole.slice(0, mostChars).split('\n').slice(0, mostLines).join('\n');
  return (
    <div data-testid="text-preview" className="mt-2 max-w-full text-left">
      <pre tabIndex={0} className="json max-h-72 overflow-y-auto overscroll-contain">
        <VisibleText text={first} />
      </pre>
      {first.length < whole.length && <p className="mt-1 text-xs text-muted">{t('previewCut')}</p>}
    </div>
  );
}

function decode(data: string): string {
  const bytes = Uint8Array.from(atob(data.slice(0, firstBytes)), (char) => char.charCodeAt(0));
  return new TextDecoder().decode(bytes).replace(/\uFFFD+$/, '');
}
