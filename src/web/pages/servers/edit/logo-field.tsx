import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/controls/button.tsx';
import { FileButton } from '../../../ui/controls/file-button.tsx';
import { readLogo } from './read-logo.ts';

interface LogoFieldProps {
  /** An image as a data URL, or nothing. */
  value: string;
  onChange: (value: string) => void;
}

/** The logo of a server: a small image that is stored with it. */
export function LogoField({ value, onChange }: LogoFieldProps): ReactElement {
  const t = useTranslations('servers');
  const [failed, setFailed] = useState(false);
  const fail = () => {
    setFailed(true);
    onChange('');
  };
  const take = (file: File): void => {
    setFailed(false);
    readLogo(file).then(onChange, () => setFailed(true));
  };
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t('logo')}</legend>
      <div className="flex items-center gap-2.5">
        {value !== '' && <Logo value={value} onFail={fail} />}
        <FileButton
          accept="image/png,image/jpeg,image/gif,image/webp,image/svg+xml"
          inputTestId="logo-file"
          onFile={take}
        >
          {t('chooseLogo')}
        </FileButton>
        {value !== '' && <Button onClick={() => onChange('')}>{t('removeLogo')}</Button>}
      </div>
      <p aria-live="polite" className="text-sm text-danger">
        {failed && t('notALogo')}
      </p>
    </fieldset>
  );
}

function Logo({ value, onFail }: { value: string; onFail: () => void }) {
  const t = useTranslations('servers');
  return (
    <img
      src={value}
      alt={t('logo')}
      className="size-8 rounded-md object-contain"
      data-testid="logo"
      onError={onFail}
    />
  );
}
