import { FileText, Link2 } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ContentPart } from '#shared/tool.ts';
import { webLink } from '../../markdown/safe-text.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { MediumView } from '../medium-view.tsx';
import { StoredText } from './stored-text.tsx';

/** A link a tool answered with; only a web address can be followed. */
export function ResourceLink(props: {
  part: Extract<ContentPart, { type: 'resource_link' }>;
}): ReactElement {
  const { uri, name, title, description, mimeType, size } = props.part;
  const link = webLink(uri);
  const facts = [mimeType, size === undefined ? undefined : formatBytes(size)].filter(Boolean);
  const body = (
    <>
      <Link2 aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block font-medium break-words">{title ?? name}</span>
        <span className="block font-mono text-xs break-all text-muted">{uri}</span>
        {description && <span className="block text-xs text-muted">{description}</span>}
        {facts.length > 0 && <span className="block text-xs text-muted">{facts.join(' · ')}</span>}
      </span>
    </>
  );
  const look = 'flex gap-2.5 rounded-lg bg-sunken px-3.5 py-2.5 text-sm';
  if (link === null) return <div className={look}>{body}</div>;
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={`${look} hover:bg-hover`}
    >
      {body}
    </a>
  );
}

/** A resource that came with the result: its text, or what it is as a medium or a file. */
export function EmbeddedResource(props: {
  part: Extract<ContentPart, { type: 'resource' }>;
}): ReactElement {
  const { resource, stored } = props.part;
  const { uri, mimeType, text, blob } = resource;
  const name = fileName(uri);
  return (
    <div>
      <p className="mb-1 flex items-center gap-1.5 font-mono text-xs break-all text-muted">
        <FileText aria-hidden className="size-3.5 shrink-0" />
        {uri}
        {mimeType && ` · ${mimeType}`}
      </p>
      {text !== undefined && !stored && <ClippedText text={text} />}
      {text !== undefined && stored && <StoredText preview={text} stored={stored} name={name} />}
      {text === undefined && (blob !== undefined || stored) && (
        <MediumView block={{ name, mimeType, data: blob, stored }} />
      )}
    </div>
  );
}

/** The last words of an address, as a name for a file. */
function fileName(uri: string): string {
  const last = uri
    .split(/[?#]/)[0]
    ?.split(/[/\\:]/)
    .findLast(Boolean);
  return last?.slice(-100) ?? 'resource';
}
