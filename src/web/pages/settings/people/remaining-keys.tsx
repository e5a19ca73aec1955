import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { KeyView } from '#shared/api/people-api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

interface RemainingKeysProps {
  keys: readonly KeyView[];
  /** Whose they are, where that is not the reader. */
  name?: string;
  onEnd: () => Promise<void>;
  onKeep: () => void;
}

/** Names the keys that outlive a change of password or rights, and offers to end them. */
export function RemainingKeys({ keys, name, onEnd, onKeep }: RemainingKeysProps): ReactElement {
  const t = useTranslations('people');
  const names = keys.map((key) => key.name).join(', ');
  return (
    <div
      role="status"
      data-testid="keys-left"
      className="rounded-xl border border-line bg-warn-soft px-4 py-3"
    >
      <p className="text-sm text-pretty wrap-anywhere">
        <VisibleText
          text={
            name === undefined
              ? t('keysLeft', { count: keys.length, names })
              : t('keysLeftOf', { count: keys.length, names, name })
          }
        />
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button data-testid="end-keys" onClick={() => void onEnd().catch(showFailure)}>
          {t('endKeys', { count: keys.length })}
        </Button>
        <Button onClick={onKeep}>{t('keepKeys')}</Button>
      </div>
    </div>
  );
}
