import { Code, Maximize2, Workflow } from 'lucide-react';
import { memo, type ReactElement, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { lazyPart, Part } from '../../loading/part.tsx';
import { CodeBox } from '../code/code-box.tsx';
import { useDiagram } from './use-diagram.ts';

const Lightbox = lazyPart(async () => (await import('../../media/lightbox.tsx')).Lightbox);

/** A diagram as a picture; its source while it is drawn, on demand, and where it cannot be drawn. */
export const Diagram = memo(function Diagram({ source }: { source: string }): ReactElement {
  const t = useTranslations('markdown');
  const place = useRef<HTMLDivElement>(null);
  const { svg, problem, isLate } = useDiagram(place, source);
  const [asSource, setAsSource] = useState(false);
  const change = (
    <IconButton
      label={asSource ? t('showDiagram') : t('showSource')}
      size="small"
      onClick={() => setAsSource(!asSource)}
    >
      {asSource ? <Workflow /> : <Code />}
    </IconButton>
  );
  const drawn = svg !== undefined && !asSource;
  const state = drawn ? 'drawn' : problem === undefined ? 'source' : 'failed';
  return (
    <div ref={place} data-testid="diagram" data-state={state}>
      {drawn ? (
        <Drawn svg={svg} change={change} />
      ) : (
        <CodeBox code={source} language="mermaid" tools={svg === undefined ? undefined : change} />
      )}
      {problem !== undefined && (
        <p className="-mt-2 mb-4 text-xs text-muted">
          {isLate ? t('drawnLate') : t('notDrawn', { reason: problem })}
        </p>
      )}
    </div>
  );
});

/** As a picture nothing of it can run, and nothing be loaded by it. */
function Drawn({ svg, change }: { svg: string; change: ReactElement }) {
  const t = useTranslations('markdown');
  const [large, setLarge] = useState(false);
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return (
    <div className="code-box bg-raised">
      <div className="code-head">
        <span className="mr-auto">{t('diagram')}</span>
        {change}
        <IconButton label={t('openLarge')} size="small" onClick={() => setLarge(true)}>
          <Maximize2 />
        </IconButton>
        <CopyButton text={svg} label={t('copySvg')} />
      </div>
      <div className="diagram-picture" role="region" aria-label={t('diagram')} tabIndex={0}>
        <img src={address} alt={t('diagram')} />
      </div>
      {large && (
        <Part>
          <Lightbox
            pictures={[{ source: address, name: 'diagram.svg' }]}
            start={0}
            onClose={() => setLarge(false)}
          />
        </Part>
      )}
    </div>
  );
}
