import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerUpdate } from '#shared/api/registry-api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** A newer version of a server; nothing changes before what it changes was seen. */
export function UpdateRow(props: { update: ServerUpdate; onUpdate: () => void }): ReactElement {
  const { update, onUpdate } = props;
  const t = useTranslations('discover');
  return (
    <div
      className="card flex flex-wrap items-center justify-between gap-x-3 gap-y-2 p-3"
      data-testid="server-update"
    >
      <span className="min-w-0 flex-1 basis-40 text-sm break-words">
        <span className="font-medium">
          <VisibleText text={update.name} />
        </span>{' '}
        <span className="text-muted">
          <VisibleText text={`${update.version} → ${update.entry.version}`} />
        </span>
      </span>
      <Button
        onClick={onUpdate}
        aria-label={t('updateNamed', { name: update.name })}
        data-testid="show-update"
      >
        {t('update')}
      </Button>
    </div>
  );
}
