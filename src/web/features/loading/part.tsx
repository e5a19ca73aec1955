import {
  type ComponentType,
  lazy,
  type LazyExoticComponent,
  type ReactElement,
  type ReactNode,
  Suspense,
} from 'react';
import { useTranslations } from 'use-intl';
import { useLine } from '../../state/page/line.ts';
import { readPart } from '../../state/page/parts.ts';

/** A component that is loaded when it is first shown, however long the host is away; put it into a `Part`. */
export function lazyPart<P extends object>(
  read: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await readPart(read) }));
}

interface PartProps {
  /** What keeps its place until it is there; by itself a word, and only while the host is away. */
  fallback?: ReactElement;
  children: ReactNode;
}

/** The place of what `lazyPart` made. */
export function Part({ fallback, children }: PartProps): ReactElement {
  return <Suspense fallback={fallback ?? <Coming />}>{children}</Suspense>;
}

function Coming() {
  const t = useTranslations('common');
  const live = useLine((state) => state.live);
  if (live) return null;
  return (
    <p role="status" className="px-2 py-1.5 text-xs text-muted" data-testid="coming">
      {t('coming')}
    </p>
  );
}
