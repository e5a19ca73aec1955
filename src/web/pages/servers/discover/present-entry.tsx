import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ImportedEntry } from '#shared/api/import-api.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ImportEntryView } from '../import/import-entry.tsx';
import { isSameConfig } from './install-note.tsx';

interface PresentEntryProps {
  way: ImportedEntry;
  onClose: () => void;
  onReview: (servers: ServerView[]) => void;
}

/** An entry that was added before; one that may not run yet leads on to its approval. */
export function PresentEntry({ way, onClose, onReview }: PresentEntryProps): ReactElement {
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const held = useCatalog(({ servers }) =>
    servers.find(
      (server) =>
        (server.state === 'draft' || server.state === 'disabled') &&
        isSameConfig(way.config, server),
    ),
  );
  return (
    <>
      <ImportEntryView entry={way} single wanted={false} onWanted={() => undefined} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{common('close')}</Button>
        {held && (
          <Button variant="primary" onClick={() => onReview([held])} data-testid="review-present">
            {t('review')}
          </Button>
        )}
      </div>
    </>
  );
}
