import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../ui/controls/copy-button.tsx';

/** The heading of a call's arguments, with the ways to see them as JSON and to copy that. */
export function ArgumentsHead(props: {
  title?: string | undefined;
  /** Undefined where there is nothing to show in another way. */
  json: string | undefined;
  asJson: boolean;
  onChange: (asJson: boolean) => void;
}): ReactElement {
  const t = useTranslations('tool');
  const { json, asJson, onChange } = props;
  return (
    <div className="mb-1.5 flex items-center gap-1">
      <p className="mr-auto text-xs font-medium text-muted">{props.title ?? t('arguments')}</p>
      {json !== undefined && (
        <>
          <button
            type="button"
            aria-pressed={asJson}
            onClick={() => onChange(!asJson)}
            className="rounded-md px-2 py-1 text-xs text-muted hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink"
          >
            {t('asJson')}
          </button>
          <CopyButton text={json} />
        </>
      )}
    </div>
  );
}
