import { Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { KeyView } from '#shared/api/people-api.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { ConfirmDelete } from '../../../ui/dialog/confirm.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** What each scope is called. */
export const scopeText = { read: 'scopeRead', chat: 'scopeChat', admin: 'scopeAdmin' } as const;

interface KeyRowProps {
  apiKey: KeyView;
  /** Whose it is, where that is not plain. */
  ownerName?: string;
  onRemove: () => Promise<void>;
}

/** One API key: what it may do, when it was used and ends, and a way to delete it. */
export function KeyRow({ apiKey, ownerName, onRemove }: KeyRowProps): ReactElement {
  const t = useTranslations('people');
  const [deleting, setDeleting] = useState(false);
  const { name } = apiKey;
  const facts = [...(ownerName === undefined ? [] : [ownerName]), ...useKeyFacts(apiKey)];
  return (
    <li className="flex items-center gap-3 px-4 py-2.5" data-testid="key-row">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">
          <VisibleText text={name} />
        </p>
        <p className="text-xs wrap-anywhere text-muted">
          <VisibleText text={facts.join(' · ')} />
        </p>
      </div>
      <IconButton label={t('deleteKey', { name })} onClick={() => setDeleting(true)}>
        <Trash2 />
      </IconButton>
      <ConfirmDelete
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('deleteKey', { name })}
        text={t('deleteKeyText')}
        action={onRemove}
      />
    </li>
  );
}

function useKeyFacts({ scopes, lastUsedAt, expiresAt, servers, trusted }: KeyView): string[] {
  const t = useTranslations('people');
  const format = useFormatter();
  const date = (time: number) => format.dateTime(time, { dateStyle: 'medium' });
  return [
    ...scopes.map((scope) => t(scopeText[scope])),
    ...(servers ? [t('limitedTo', { count: servers.length })] : []),
    ...(trusted ? [t('trusted')] : []),
    lastUsedAt === undefined ? t('neverUsed') : t('lastUsed', { time: date(lastUsedAt) }),
    ...(expiresAt === undefined ? [] : [t('expires', { time: date(expiresAt) })]),
  ];
}
