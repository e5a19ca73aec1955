import { Paperclip } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useLimits } from '../../../state/session/limits.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';

/** Opens the system's choice of files. */
export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }): ReactElement {
  const t = useTranslations('composer');
  const input = useRef<HTMLInputElement>(null);
  const limits = useLimits();
  const most = { size: limits.file / 1024 / 1024, count: limits.filesPerMessage };
  return (
    <>
      <IconButton
        label={t('attach')}
        title={t('attachHint', most)}
        data-testid="attach"
        className="rounded-full pointer-coarse:size-11"
        onClick={() => input.current?.click()}
      >
        <Paperclip />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="attach-input"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}
