import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AnswerInput } from '#shared/api/input-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { dropInput } from '../../state/inbox/inputs.ts';
import { api } from '../../state/session/api.ts';
import { focusAfter } from '../../ui/focus/question-focus.ts';
import { showNotice } from '../../ui/notices/notices.ts';

/** Sends the answer to a question; what the host refuses stays beside it. */
export function useAnswer(id: string, card: { current: HTMLElement | null }) {
  const t = useTranslations('inputs');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorInfo>();
  const answer = async (body: AnswerInput) => {
    const goOn = focusAfter(card.current);
    setBusy(true);
    setError(undefined);
    try {
      await api.inputs.answer(id, body);
    } catch (failure) {
      const info = toErrorInfo(failure);
      if (info.code !== 'already_decided' && info.code !== 'input_not_found') {
        setError(info);
        setBusy(false);
        return;
      }
      showNotice(t('settled'));
    }
    goOn();
    dropInput(id);
  };
  return { busy, error, answer };
}
