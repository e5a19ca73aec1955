import type { ReactElement } from 'react';
import type { ErrorBlock } from '#shared/block.ts';
import { ErrorNote } from '../ui/error-note.tsx';

/** Why an answer failed. */
export function ErrorView({ block }: { block: ErrorBlock }): ReactElement {
  return <ErrorNote error={block.error} />;
}
