import { Download, FileText } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { formatBytes } from '#shared/text/bytes.ts';
import { textAction, Toggle } from '../../ui/controls/toggle.tsx';
import { isTextFile, type Medium, mediaKind, mediaSize, mediaSource } from './media-source.ts';
import { Player } from './player.tsx';
import { TextPreview } from './text-preview.tsx';

/** A file to take away: name, type, size; what a browser can show is shown when the reader asks. */
export function FileView({ block }: { block: Medium }): ReactElement {
  const t = useTranslations('block');
  const [shown, setShown] = useState(false);
  const name = block.name ?? t('file');
  const source = mediaSource(block);
  const kind = mediaKind(block.mimeType);
  const canShow = source !== null && (kind === undefined ? isTextFile(block) : kind !== 'pdf');
  return (
    <div className="w-fit max-w-full">
      <div className="card flex items-center gap-3 py-2 pr-2 pl-4 text-sm">
        <FileText aria-hidden className="size-5 shrink-0 text-muted" />
        <FileFacts block={block} name={name} />
        <span className="flex shrink-0 items-center">
          {kind === 'pdf' && block.stored && source && (
            <a href={source} target="_blank" rel="noopener noreferrer" className={textAction}>
              {t('openFile')}
            </a>
          )}
          {canShow && (
            <Toggle open={shown} onToggle={setShown}>
              {shown ? t('hide') : t('show')}
            </Toggle>
          )}
          {source && <DownloadLink source={source} name={name} />}
        </span>
      </div>
      {shown && canShow && kind === undefined && <TextPreview block={block} />}
      {shown && source && kind !== undefined && kind !== 'pdf' && (
        <div className="mt-2">
          <Player kind={kind} source={source} name={name} />
        </div>
      )}
    </div>
  );
}

function FileFacts({ block, name }: { block: Medium; name: string }) {
  const size = mediaSize(block);
  const facts = [block.mimeType, size === undefined ? undefined : formatBytes(size)];
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-medium">{name}</span>
      <span className="block truncate text-xs text-muted">{facts.filter(Boolean).join(' · ')}</span>
    </span>
  );
}

function DownloadLink({ source, name }: { source: string; name: string }) {
  const t = useTranslations('block');
  return (
    <a
      href={source}
      download={name}
      aria-label={t('download', { name })}
      title={t('download', { name })}
      className="icon-button size-9 [&_svg]:size-4"
    >
      <Download />
    </a>
  );
}
