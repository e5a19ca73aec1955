import { Download, FileText } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { formatBytes } from '#shared/text/bytes.ts';
import { isTextFile, type Medium, mediaKind, mediaSize, mediaSource } from './media-source.ts';
import { Player } from './player.tsx';
import { TextPreview } from './text-preview.tsx';

const action = 'rounded-md px-2 py-1 text-xs font-medium text-accent-text hover:bg-hover';

/** A file to take away: name, type, size; what a browser can show is shown when the reader asks. */
export function FileView({ block }: { block: Medium }): ReactElement {
  const t = useTranslations('block');
  const [shown, setShown] = useState(false);
  const name = block.name ?? t('file');
  const source = mediaSource(block);
  const size = mediaSize(block);
  const kind = mediaKind(block.mimeType);
  const isText = kind === undefined && isTextFile(block);
  const canShow = source !== null && kind !== 'pdf' && (kind !== undefined || isText);
  const facts = [block.mimeType, size === undefined ? undefined : formatBytes(size)];
  return (
    <div className="max-w-full">
      <div className="card inline-flex max-w-full items-center gap-3 py-2 pr-2 pl-4 text-sm">
        <FileText aria-hidden className="size-5 shrink-0 text-muted" />
        <span className="min-w-0">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-xs text-muted">
            {facts.filter(Boolean).join(' · ')}
          </span>
        </span>
        <span className="flex shrink-0 items-center">
          {kind === 'pdf' && block.stored && source && (
            <a href={source} target="_blank" rel="noopener noreferrer" className={action}>
              {t('openFile')}
            </a>
          )}
          {canShow && (
            <button
              type="button"
              aria-expanded={shown}
              onClick={() => setShown(!shown)}
              className={action}
            >
              {shown ? t('hide') : t('show')}
            </button>
          )}
          {source && (
            <a
              href={source}
              download={name}
              aria-label={t('download', { name })}
              title={t('download', { name })}
              className="icon-button size-9 [&_svg]:size-4"
            >
              <Download />
            </a>
          )}
        </span>
      </div>
      {shown && canShow && isText && <TextPreview block={block} />}
      {shown && source && kind !== undefined && kind !== 'pdf' && (
        <div className="mt-2">
          <Player kind={kind} source={source} name={name} />
        </div>
      )}
    </div>
  );
}
