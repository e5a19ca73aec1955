import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolView } from '#shared/api/api.ts';
import { useSentence } from '../../../ui/notices/use-sentence.ts';

const leftOutBy = {
  openai: 'leftOutOpenai',
  anthropic: 'leftOutAnthropic',
  google: 'leftOutGoogle',
} as const;

/** To which models a tool is not offered, and why: once where it is the same for all of them. */
export function OmittedModels({ tool: { leftOut } }: { tool: ToolView }): ReactElement | null {
  const t = useTranslations('servers');
  const sentence = useSentence();
  const first = leftOut?.[0];
  if (!leftOut || !first) return null;
  const isForAll =
    leftOut.length === Object.keys(leftOutBy).length &&
    leftOut.every(({ reason }) => reason === first.reason);
  const why = ({ reason, reasonSaid }: typeof first) => sentence(reason, reasonSaid);
  return (
    <ul className="mt-1 space-y-0.5 text-xs break-words text-warn" data-testid="left-out">
      {isForAll ? (
        <li>{t('leftOutAll', { reason: why(first) })}</li>
      ) : (
        leftOut.map((one) => (
          <li key={one.dialect}>{t(leftOutBy[one.dialect], { reason: why(one) })}</li>
        ))
      )}
    </ul>
  );
}
