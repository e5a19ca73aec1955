import { type ReactElement, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';

interface OneTimeSecretProps {
  label: string;
  secret: string;
  onDone: () => void;
}

/** A secret that nobody can read again, until the reader says that they have it. */
export function OneTimeSecret({ label, secret, onDone }: OneTimeSecretProps): ReactElement {
  const t = useTranslations('people');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      ref={box}
      role="status"
      tabIndex={-1}
      data-testid="once-shown"
      className="rounded-xl border border-line bg-warn-soft px-4 py-3 outline-none"
    >
      <p className="text-sm text-pretty">{label}</p>
      <div className="mt-2 flex items-center gap-2">
        <code
          data-testid="secret"
          className="min-w-0 flex-1 rounded-lg bg-raised px-3 py-2 font-mono text-[0.8125rem] break-all"
        >
          {secret}
        </code>
        <CopyButton text={secret} />
      </div>
      <Button className="mt-3" onClick={onDone}>
        {t('haveIt')}
      </Button>
    </div>
  );
}
