import { ChevronDown, Square } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message, Retry } from '#shared/vocabulary/message.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useOnce } from '../../../ui/hooks/use-submit.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { ModelMenu } from './model-menu.tsx';

interface RetryRowProps {
  message: Message;
  retry: Retry;
  /** When the answer began to wait. */
  since: number;
}

/** That the model is asked again, why and when, with what a reader can do instead of waiting. */
export function RetryRow({ message, retry, since }: RetryRowProps): ReactElement {
  const t = useTranslations('waiting');
  const { reason, attempt, of, at } = retry;
  const said = { reason: t(`retryReasons.${reason}`), attempt, of };
  return (
    <div
      data-testid="waiting"
      data-for="retry"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm"
    >
      <p className="text-warn tabular-nums">
        {/* Read out once, and not with each second. */}
        <span role="status" className="sr-only">
          {t('retryNow', said)}
        </span>
        <Countdown key={at} most={at - since} at={at}>
          {(seconds) => (seconds > 0 ? t('retryIn', { ...said, seconds }) : t('retryNow', said))}
        </Countdown>
      </p>
      <InsteadOfWaiting message={message} />
    </div>
  );
}

function InsteadOfWaiting({ message }: { message: Message }) {
  const t = useTranslations('waiting');
  const once = useOnce();
  const stop = () => {
    once(() => api.messages.stop(message.id)).catch(showFailure);
  };
  const useOther = (model: string) => {
    once(async () => {
      await api.messages.stop(message.id);
      await api.messages.regenerate(message.id, { model });
    }).catch(showFailure);
  };
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Button data-testid="retry-stop" onClick={stop}>
        <Square aria-hidden className="fill-current" />
        {t('stop')}
      </Button>
      <ModelMenu
        heading={t('otherModel')}
        without={message.model}
        onChoose={useOther}
        trigger={
          <Button data-testid="retry-other-model">
            {t('otherModel')}
            <ChevronDown aria-hidden />
          </Button>
        }
      />
    </span>
  );
}

interface CountdownProps {
  /** The moment by the clock of the host. */
  at: number;
  /** It cannot be further away than this, whatever the clock of this browser says. */
  most: number;
  children: (seconds: number) => string;
}

/** Counts down on its own; 0 once the moment has come. */
function Countdown({ at, most, children }: CountdownProps) {
  const [begin] = useState(Date.now);
  const [now, setNow] = useState(begin);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const left = Math.min(at, begin + most) - now;
  return <span aria-hidden>{children(Math.max(0, Math.ceil(left / 1000)))}</span>;
}
