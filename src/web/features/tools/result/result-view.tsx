import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { useSentence } from '../../../ui/notices/use-sentence.ts';
import { ClippedText } from '../../../ui/text/clipped-text.tsx';
import { MediumView } from '../../media/medium-view.tsx';
import { DataView } from './data-view.tsx';
import { ResourceLink } from './resource-link.tsx';
import { EmbeddedResource } from './resource-parts.tsx';
import { isPreview, isTextRedundant, isStoredTwice, rawResult, resultText } from './result-text.ts';
import { StoredText } from './stored-text.tsx';
import { TextPart } from './text-part.tsx';

interface ResultProps {
  result: ToolResult;
  /** Whose result it is: links to its resources can be opened through it. */
  serverId?: string | undefined;
}

/** What a tool answered, each part by its kind, or all of it as it came. */
export function ResultView({ result, serverId }: ResultProps): ReactElement {
  const t = useTranslations('tool');
  const [raw, setRaw] = useState(false);
  return (
    <section data-testid="result">
      <div className="mb-1.5 flex items-center gap-1">
        <p className="mr-auto text-xs font-medium text-muted">{t('result')}</p>
        <button
          type="button"
          aria-pressed={raw}
          onClick={() => setRaw(!raw)}
          className="rounded-md px-2 py-1 text-xs text-muted hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink"
        >
          {t('raw')}
        </button>
        {!isPreview(result) && <CopyButton text={raw ? rawResult(result) : resultText(result)} />}
      </div>
      {raw ? (
        <ClippedText text={rawResult(result)} />
      ) : (
        <Parts result={result} serverId={serverId} />
      )}
    </section>
  );
}

function Parts({ result, serverId }: ResultProps) {
  const t = useTranslations('tool');
  const sentence = useSentence();
  const twice = isTextRedundant(result);
  const parts = result.content.filter((part) => part.type !== 'text' || !(twice || isBlank(part)));
  const { structuredContent, structuredStored, errorSaid } = result;
  const inWords = (part: ContentPart): ContentPart =>
    errorSaid && part.type === 'text' ? { ...part, text: sentence(part.text, errorSaid) } : part;
  const isEmpty = structuredContent === undefined && structuredStored === undefined;
  return (
    <div className="space-y-2.5">
      {result.problem !== undefined && (
        <p className="rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm text-warn">
          {sentence(result.problem, result.problemSaid)}
        </p>
      )}
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a result never move
        <PartView key={index} part={inWords(part)} serverId={serverId} />
      ))}
      {!isStoredTwice(result) && <Structured result={result} open={twice} />}
      {parts.length === 0 && isEmpty && <p className="text-sm text-muted">{t('emptyResult')}</p>}
    </div>
  );
}

function isBlank({ text, stored }: Extract<ContentPart, { type: 'text' }>): boolean {
  return stored === undefined && text.trim() === '';
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
  return <DataView value={value} folded={!open} />;
}

/** One part of a result or of a prompt, by its kind. */
export function PartView({
  part,
  serverId,
}: {
  part: ContentPart;
  serverId?: string | undefined;
}): ReactElement {
  switch (part.type) {
    case 'text':
      if (!part.stored) return <TextPart text={part.text} />;
      return <StoredText preview={part.text} stored={part.stored} name="result.txt" />;
    case 'image':
    case 'audio':
      return <MediumView block={part} />;
    case 'resource_link':
      return <ResourceLink part={part} serverId={serverId} />;
    case 'resource':
      return <EmbeddedResource part={part} />;
  }
}
