import { memo, type ReactElement } from 'react';
import { createLazy } from '../../loading/create-lazy.ts';

interface MathProps {
  /** TeX. */
  source: string;
  display: boolean;
}

const useRenderer = createLazy(async () => (await import('./math-elements.ts')).renderMath);

/** A formula; its source where it makes no sense, or where the renderer does not come. */
export const MathView = memo(function MathView({ source, display }: MathProps): ReactElement {
  const render = useRenderer();
  const formula = render?.(source, display);
  const shown = formula ?? <code className={render ? undefined : 'awaited'}>{source}</code>;
  if (!display) return <span data-testid="math">{shown}</span>;
  return (
    <span data-testid="math" tabIndex={0} className="display-math">
      {shown}
    </span>
  );
});
