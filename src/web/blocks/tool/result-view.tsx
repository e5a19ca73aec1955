import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ContentPart, ToolResult } from '#shared/tool.ts';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { MediumView } from '../medium-view.tsx';
import { EmbeddedResource, ResourceLink } from './resource-parts.tsx';
import { isPreview, isSaidTwice, isStoredTwice, resultText } from './result-text.ts';
import { StoredText } from './stored-text.tsx';

/** What a tool answered, each part by its kind. */
export function ResultView({ result }: { result: ToolResult }): ReactElement {
  const t = useTranslations('tool');
  const twice = isSaidTwice(result);
  const parts = result.content.filter((part) => part.type !== 'text' || !twice);
  const { structuredContent, structuredStored } = result;
  const isEmpty = structuredContent === undefined && structuredStored === undefined;
  return (
    <section>
      <div className="mb-1.5 flex items-center">
        <p className="mr-auto text-xs font-medium text-muted">{t('result')}</p>
        {!isPreview(result) && <CopyButton text={resultText(result)} />}
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
        {!isStoredTwice(result) && <Structured result={result} open={twice} />}
        {parts.length === 0 && isEmpty && <p className="text-sm text-muted">{t('emptyResult')}</p>}
      </div>
    </section>
  );
}

/** Open where no text says the same. */
function Structured({ result, open }: { result: ToolResult; open: boolean }) {
  const t = useTranslations('tool');
  const { structuredContent: value, structuredStored: stored } = result;
  if (stored) {
    return (
      <div>
        <p className="text-sm text-muted">{t('structured')}</p>
        <StoredText stored={stored} name="result.json" />
      </div>
    );
  }
  if (value === undefined) return null;
  if (open) return <ClippedText text={JSON.stringify(value, null, 2)} />;
  return (
    <Disclosure summary={t('structured')}>
      {() => <ClippedText text={JSON.stringify(value, null, 2)} />}
    </Disclosure>
  );
}

function PartView({ part }: { part: ContentPart }): ReactElement {
  switch (part.type) {
    case 'text':
      if (!part.stored) return <ClippedText text={part.text} />;
      return <StoredText preview={part.text} stored={part.stored} name="result.txt" />;
    case 'image':
    case 'audio':
      return <MediumView block={part} />;
    case 'resource_link':
      return <ResourceLink part={part} />;
    case 'resource':
      return <EmbeddedResource part={part} />;
  }
}
