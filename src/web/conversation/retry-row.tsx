import { Menu } from '@base-ui/react/menu';
import { ChevronDown, Square } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message, Retry } from '#shared/message.ts';
import { messagesApi } from '../api/messages-api.ts';
import { showFailure } from '../state/notices.ts';
import { Button } from '../ui/button.tsx';
import { useOnce } from '../ui/use-submit.ts';
import { ModelMenu } from './model-menu.tsx';

/** That the model is asked again, why and when, with what a reader can do instead of waiting. */
export function RetryRow({ message, retry }: { message: Message; retry: Retry }): ReactElement {
  const t = useTranslations('waiting');
  const words = useWords(retry);
  const once = useOnce();
  const stop = () => {
    once(() => messagesApi.stop(message.id)).catch(showFailure);
  };
  const useOther = (model: string) => {
    once(async () => {
      await messagesApi.stop(message.id);
      await messagesApi.regenerate(message.id, model);
    }).catch(showFailure);
  };
  return (
    <div
      data-testid="waiting"
      data-for="retry"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-warn"
    >
      <p role="status" className="tabular-nums">
        {words}
      </p>
      <span className="flex flex-wrap items-center gap-2">
        <Button data-testid="retry-stop" onClick={stop}>
          <Square aria-hidden className="fill-current" />
          {t('stop')}
        </Button>
        <ModelMenu heading={t('otherModel')} without={message.model} onChoose={useOther}>
          <Menu.Trigger render={<Button data-testid="retry-other-model" />}>
            {t('otherModel')}
            <ChevronDown aria-hidden />
          </Menu.Trigger>
        </ModelMenu>
      </span>
    </div>
  );
}

function useWords({ reason, attempt, of, at }: Retry): string {
  const t = useTranslations('waiting');
  const seconds = useSecondsUntil(at);
  const said = { reason: t(`retryReasons.${reason}`), attempt, of };
  return seconds > 0 ? t('retryIn', { ...said, seconds }) : t('retryNow', said);
}

/** Counts down on its own; 0 once the moment has come. */
function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((at - now) / 1000));
}
