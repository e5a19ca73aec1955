import { FileText, Link2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ContentPart, ToolResult } from '#shared/tool.ts';
import { webLink } from '../../markdown/safe-text.ts';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { AudioPart, PicturePart } from './media-parts.tsx';
import { isSaidTwice, resultText } from './result-text.ts';

/** What a tool answered, each part by its kind. */
export function ResultView({ result }: { result: ToolResult }): ReactElement {
  const t = useTranslations('tool');
  const twice = isSaidTwice(result);
  const parts = result.content.filter((part) => part.type !== 'text' || !twice);
  const structured = result.structuredContent;
  return (
    <section>
      <div className="mb-1.5 flex items-center">
        <p className="mr-auto text-xs font-medium text-muted">{t('result')}</p>
        <CopyButton text={resultText(result)} />
      </div>
      <div className="space-y-2.5">
        {result.problem !== undefined && (
          <p className="rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm text-warn">
            {result.problem}
          </p>
        )}
        {parts.map((part, index) => (
          // The parts of a result never change.
          // oxlint-disable-next-line react/no-array-index-key
          <PartView key={index} part={part} />
        ))}
        {structured !== undefined && twice && (
          <ClippedText text={JSON.stringify(structured, null, 2)} />
        )}
        {structured !== undefined && !twice && (
          <Disclosure summary={t('structured')}>
            {() => <ClippedText text={JSON.stringify(structured, null, 2)} />}
          </Disclosure>
        )}
        {parts.length === 0 && structured === undefined && (
          <p className="text-sm text-muted">{t('emptyResult')}</p>
        )}
      </div>
    </section>
  );
}

function PartView({ part }: { part: ContentPart }): ReactElement {
  switch (part.type) {
    case 'text':
      return <ClippedText text={part.text} />;
    case 'image':
      return <PicturePart data={part.data} mimeType={part.mimeType} />;
    case 'audio':
      return <AudioPart data={part.data} mimeType={part.mimeType} />;
    case 'resource_link':
      return <ResourceLink part={part} />;
    case 'resource':
      return <EmbeddedResource resource={part.resource} />;
  }
}

function ResourceLink({ part }: { part: Extract<ContentPart, { type: 'resource_link' }> }) {
  const link = webLink(part.uri);
  const body = (
    <>
      <Link2 aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block font-medium break-words">{part.title ?? part.name}</span>
        <span className="block font-mono text-xs break-all text-muted">{part.uri}</span>
        {part.description && <span className="block text-xs text-muted">{part.description}</span>}
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

function EmbeddedResource(props: {
  resource: Extract<ContentPart, { type: 'resource' }>['resource'];
}) {
  const { uri, mimeType, text, blob } = props.resource;
  return (
    <div>
      <p className="mb-1 flex items-center gap-1.5 font-mono text-xs break-all text-muted">
        <FileText aria-hidden className="size-3.5 shrink-0" />
        {uri}
        {mimeType && ` · ${mimeType}`}
      </p>
      {text !== undefined && <ClippedText text={text} />}
      {blob !== undefined && <PicturePart data={blob} mimeType={mimeType} />}
    </div>
  );
}
