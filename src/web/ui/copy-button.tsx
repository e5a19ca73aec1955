import { Check, Copy } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { showFailure } from '../state/notices.ts';
import { IconButton } from './icon-button.tsx';

/** Copies a text and says so for a moment. */
export function CopyButton({ text }: { text: string }): ReactElement {
  const t = useTranslations('common');
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <IconButton label={copied ? t('copied') : t('copy')} size="small" onClick={() => void copy()}>
      {copied ? <Check className="text-ok" /> : <Copy />}
    </IconButton>
  );
}
