import { type ComponentType, memo, type ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Block, BlockType } from '#shared/vocabulary/block.ts';
import { FailureBoundary } from '../../ui/notices/failure-boundary.tsx';
import { FileView } from '../media/file-view.tsx';
import { MediumView } from '../media/medium-view.tsx';
import { ToolView } from '../tools/call/tool-view.tsx';
import { CitationView } from './citation-view.tsx';
import { CodeView } from './code-view.tsx';
import { CompactView } from './compact-view.tsx';
import { ErrorView } from './error-view.tsx';
import { TextView } from './text-view.tsx';
import { ThinkingView } from './thinking-view.tsx';
import { TranslationView } from './translation-view.tsx';
import { UnknownView } from './unknown-view.tsx';

/** One component for every type of block; a new type does not compile without one. */
const views: { [T in BlockType]: ComponentType<{ block: Block & { type: T } }> } = {
  main_text: TextView,
  thinking: ThinkingView,
  translation: TranslationView,
  image: MediumView,
  code: CodeView,
  tool: ToolView,
  file: FileView,
  video: MediumView,
  error: ErrorView,
  citation: CitationView,
  compact: CompactView,
  unknown: UnknownView,
};

/** Any block of an answer. A type from a newer host is shown as unknown. */
export const BlockView = memo(function BlockView({ block }: { block: Block }): ReactElement {
  const t = useTranslations('common');
  const known = Object.hasOwn(views, block.type) ? block.type : 'unknown';
  const View = views[known] as ComponentType<{ block: Block }>;
  return (
    <div
      className="max-w-full"
      data-testid="block"
      data-type={block.type}
      data-status={block.status}
      data-ordinal={block.ordinal}
      data-length={block.type === 'main_text' ? block.content.length : undefined}
    >
      <FailureBoundary fallback={<p className="text-sm text-danger">{t('crashed')}</p>}>
        <View block={block} />
      </FailureBoundary>
    </div>
  );
});
