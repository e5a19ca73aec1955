import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../ui/copy-button.tsx';

/** Code as it is, with its language and a way to copy it. */
export function CodeBox({ code, language }: { code: string; language?: string }): ReactElement {
  const t = useTranslations('common');
  return (
    <div className="code-box">
      <div className="flex items-center justify-between pl-3.5 pr-1.5 pt-1.5 text-xs text-muted">
        <span>{language?.split(/\s/)[0] || t('plainText')}</span>
        <CopyButton text={code} />
      </div>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  );
}
