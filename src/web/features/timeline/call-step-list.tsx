import type { ReactElement } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { TimelineCall } from '#shared/telemetry/timeline-api.ts';
import { useDuration } from '../../ui/text/duration.ts';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { type CallWayFacts, callSteps } from './call-steps.ts';

type Props = { call: CallWayFacts & Pick<TimelineCall, 'rule' | 'reason'> };

/** What happened to a call, line by line. */
export function CallStepList({ call }: Props): ReactElement {
  const t = useTranslations('timeline');
  const format = useFormatter();
  const duration = useDuration();
  const reason = useAllowReason(call);
  return (
    <ol data-testid="call-steps" className="space-y-1 text-sm">
      {callSteps(call).map(({ name, at, took = 0 }) => (
        <li key={`${name} ${at}`} className="flex gap-3">
          <time
            dateTime={new Date(at).toISOString()}
            className="shrink-0 text-xs leading-5 text-muted tabular-nums"
          >
            {format.dateTime(at, { timeStyle: 'medium' })}
          </time>
          <span className="min-w-0 break-words">
            {t(`steps.${name}`, { time: duration(took) })}
            {name === 'allowed' && reason && (
              <span className="text-muted">
                {' · '}
                <VisibleText text={reason} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Why nobody was asked, in the reader's language where it is no rule of a person. */
function useAllowReason({ rule, reason }: Pick<TimelineCall, 'rule' | 'reason'>) {
  const t = useTranslations('approval');
  return reason ? t(`reasons.${reason}`) : rule;
}
