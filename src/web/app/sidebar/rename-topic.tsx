import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';

interface RenameProps {
  title: string;
  onDone: (title: string) => void;
  onCancel: () => void;
}

/** A title being changed in its place: Enter or leaving keeps it, Escape does not. */
export function RenameTopic({ title, onDone, onCancel }: RenameProps): ReactElement {
  const t = useTranslations('sidebar');
  const [text, setText] = useState(title);
  const input = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const end = (keep: boolean) => {
    if (ended.current) return;
    ended.current = true;
    const next = text.trim();
    if (keep && next !== '') onDone(next);
    else onCancel();
  };
  return (
    <input
      ref={input}
      value={text}
      maxLength={200}
      aria-label={t('rename')}
      data-testid="rename"
      onChange={(event) => setText(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') end(true);
        if (event.key === 'Escape') end(false);
      }}
      className="input h-9 px-2.5 py-1"
    />
  );
}
