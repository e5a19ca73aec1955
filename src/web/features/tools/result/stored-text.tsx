import { type ReactElement, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { blobPath } from '#client/api/files.ts';
import type { BlobRef } from '#shared/vocabulary/tool.ts';
import { api } from '../../../state/session/api.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { textAction, Toggle } from '../../../ui/controls/toggle.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { formatBytes } from '#shared/text/bytes.ts';
import { WholeText } from '../../../ui/text/whole-text.tsx';
import { indentJson } from './indent-json.ts';
import { shortPreview } from './short-preview.ts';

interface StoredTextProps {
  stored: BlobRef;
  /** What the file is called when it is taken away. */
  name: string;
  /** The head and the tail of it, where there are such. */
  preview?: string;
}

/** A text that is kept outside of the conversation: its preview, and all of it when asked for. */
export function StoredText({ stored, name, preview }: StoredTextProps): ReactElement {
  const t = useTranslations('tool');
  const common = useTranslations('common');
  const [wanted, setWanted] = useState(false);
  const { value: whole, error } = useLoaded(
    (signal) => (wanted ? api.files.text(stored.id, signal) : Promise.resolve(undefined)),
    `${stored.id} ${wanted}`,
  );
  const shown = wanted ? whole : undefined;
  const isComing = wanted && shown === undefined && !error;
  return (
    <div>
      {shown !== undefined && <LongText text={shown} />}
      {shown === undefined && preview !== undefined && <Preview text={preview} />}
      {wanted && error && <ErrorNote error={error} />}
      <div className="mt-1 flex flex-wrap items-center gap-1">
        <Toggle open={wanted} onToggle={setWanted}>
          {wanted ? common('showLess') : t('showAll', { size: formatBytes(stored.size) })}
        </Toggle>
        <a
          href={blobPath(stored.id)}
          download={name}
          aria-label={`${t('download')} ${name}`}
          className={textAction}
        >
          {t('download')}
        </a>
        {shown !== undefined && <CopyButton text={shown} />}
        <span role="status" className="text-xs text-muted empty:hidden">
          {isComing && common('loading')}
        </span>
      </div>
    </div>
  );
}

function Preview({ text }: { text: string }) {
  const t = useTranslations('tool');
  const { head, missing, tail } = useMemo(() => shortPreview(text), [text]);
  return (
    <pre tabIndex={0} className="json" data-testid="preview">
      {head}
      {missing > 0 && (
        <span className="my-2 block border-y border-dashed border-line-strong py-1 font-sans text-xs text-muted">
          {t('leftOut', { count: missing })}
        </span>
      )}
      {tail}
    </pre>
  );
}

/** Many megabytes stay light: what is out of sight is not laid out. */
function LongText({ text }: { text: string }) {
  const indented = useMemo(() => indentJson(text), [text]);
  return (
    <pre
      tabIndex={0}
      data-testid="whole-text"
      className="json max-h-[70dvh] overflow-y-auto overscroll-contain"
    >
      <WholeText text={indented} />
    </pre>
  );
}
