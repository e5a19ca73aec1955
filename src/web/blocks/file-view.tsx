import { FileText } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { MediaBlock } from '#shared/block.ts';
import { webLink } from '../markdown/safe-text.ts';
import { formatBytes } from '../ui/bytes.ts';
import { mediaSource } from './media-source.ts';

type FileFacts = Pick<MediaBlock, 'name' | 'mimeType' | 'data' | 'url' | 'size'>;

/** A file to take away. */
export function FileView({ block }: { block: FileFacts }): ReactElement {
  const t = useTranslations('block');
  const name = block.name ?? t('file');
  const source = mediaSource(block) ?? webLink(block.url);
  const facts = [block.mimeType, block.size === undefined ? undefined : formatBytes(block.size)];
  const body = (
    <>
      <FileText aria-hidden className="size-5 shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-xs text-muted">{facts.filter(Boolean).join(' · ')}</span>
      </span>
    </>
  );
  const look = 'card inline-flex max-w-full items-center gap-3 px-4 py-2.5 text-sm';
  if (source === null) return <div className={look}>{body}</div>;
  return (
    <a
      href={source}
      download={name}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('download', { name })}
      className={`${look} hover:bg-hover`}
    >
      {body}
    </a>
  );
}
