import { Check, Copy } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { showFailure } from '../notices/notices.ts';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  /** What is copied; a function where it is only made then. */
  text: string | (() => string);
  label?: string;
}

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label }: CopyButtonProps): ReactElement {
  const t = useTranslations('common');
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setCopied(true);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <IconButton
      label={copied ? t('copied') : (label ?? t('copy'))}
      size="small"
      onClick={() => void copy()}
    >
      {copied ? <Check className="text-ok" /> : <Copy />}
    </IconButton>
  );
}
