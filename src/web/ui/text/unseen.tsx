import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Unseen } from './first-sight.ts';

/** Opens what is not drawn yet, and says how much that is. */
export function ShowRest({ rest, onOpen }: { rest: Unseen; onOpen: () => void }): ReactElement {
  const t = useTranslations('hidden');
  return (
    <button
      type="button"
      aria-expanded={false}
      data-testid="show-rest"
      onClick={onOpen}
      className="mt-1 -ml-2 rounded-md px-2 py-1 text-left text-xs font-medium text-accent-text hover:bg-hover pointer-coarse:min-h-9"
    >
      {rest.lines > 1 ? t('showLines', { ...rest }) : t('showCharacters', { ...rest })}
    </button>
  );
}

/** Why a decision cannot be made yet; `id` is for the button it explains. */
export function UnseenNote({ id, rest }: { id: string; rest: Unseen }): ReactElement {
  const t = useTranslations('hidden');
  return (
    <p id={id} data-testid="unseen" className="mt-3 text-xs text-warn">
      {rest.lines > 1 ? t('unseenLines', { ...rest }) : t('unseenCharacters', { ...rest })}
    </p>
  );
}
