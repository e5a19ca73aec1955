import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { AnswerInput } from '#shared/api/input-api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';

/** What the part for one kind of question needs to answer it. */
export interface AnswerProps {
  busy: boolean;
  answer: (body: AnswerInput) => Promise<void>;
}

/** A stranger's words, marked as such by how they stand. */
export function ServerWords({ text }: { text: string }): ReactElement {
  return (
    <blockquote className="max-h-72 overflow-y-auto border-l-2 border-line-strong pl-3 text-sm break-words whitespace-pre-wrap">
      <VisibleText text={text} />
    </blockquote>
  );
}

/** The two ways to say no: the server is told that it is declined, or only that nobody answered. */
export function Refusals({ busy, answer }: AnswerProps): ReactElement {
  const t = useTranslations('inputs');
  return (
    <>
      <Button
        disabled={busy}
        data-testid="decline-input"
        onClick={() => void answer({ action: 'decline' })}
      >
        {t('decline')}
      </Button>
      <Button
        disabled={busy}
        data-testid="cancel-input"
        title={t('cancelHint')}
        className="sm:ml-auto"
        onClick={() => void answer({ action: 'cancel' })}
      >
        {t('cancel')}
      </Button>
    </>
  );
}
