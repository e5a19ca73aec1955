import { Download, TextWrap } from 'lucide-react';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { saveText } from '../../../ui/text/save-text.ts';
import { codeFileName, languageName } from './code-file.ts';
import { CodeLines } from './code-lines.tsx';
import { useHighlighting } from './use-highlighting.ts';

interface CodeBoxProps {
  code: string;
  language?: string | undefined;
  /** More of it may follow. */
  open?: boolean;
  /** Further buttons. */
  tools?: ReactNode;
}

/** Code in its colours, with its language, to copy, to wrap and to save. */
export function CodeBox({ code, language: info, open = false, tools }: CodeBoxProps): ReactElement {
  const common = useTranslations('common');
  const [wrap, setWrap] = useState(false);
  const place = useRef<HTMLPreElement>(null);
  const language = languageName(info);
  // A finished code ends its last line, so that it goes on from what was highlighted before.
  const text = open ? code : `${code}\n`;
  const highlighted = useHighlighting(place, { text, language: language.toLowerCase(), open });
  return (
    <div className="code-box group/code" data-testid="code" data-language={language}>
      <div className="code-head">
        <span className="mr-auto truncate">{language || common('plainText')}</span>
        {tools}
        <CodeTools code={code} language={language} wrap={wrap} onWrap={setWrap} />
      </div>
      <pre
        ref={place}
        tabIndex={0}
        className={wrap ? 'break-words whitespace-pre-wrap' : undefined}
      >
        <CodeLines text={text} highlighted={highlighted} />
      </pre>
    </div>
  );
}

interface CodeToolsProps {
  code: string;
  language: string;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
}

function CodeTools({ code, language, wrap, onWrap }: CodeToolsProps) {
  const t = useTranslations('markdown');
  return (
    <>
      <IconButton label={t('wrap')} size="small" aria-pressed={wrap} onClick={() => onWrap(!wrap)}>
        <TextWrap />
      </IconButton>
      <IconButton
        label={t('saveCode')}
        size="small"
        onClick={() => saveText(code, codeFileName(language))}
      >
        <Download />
      </IconButton>
      <CopyButton text={code} />
    </>
  );
}
