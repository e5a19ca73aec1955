import { FileText } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ContentPart } from '#shared/vocabulary/tool.ts';
import { MediumView } from '../../media/medium-view.tsx';
import { StoredText } from './stored-text.tsx';
import { TextPart } from './text-part.tsx';

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
      {text !== undefined && !stored && <TextPart text={text} />}
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
