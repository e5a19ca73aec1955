import type { ComponentProps, ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { JsonObject } from '#shared/json.ts';
import { toJsonText } from '../../form/unread.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { draftArguments } from './arguments-draft.ts';
import { ApprovalArguments } from './approval-arguments.tsx';
import { ArgumentsFields } from './arguments-fields.tsx';

type EditorProps = ComponentProps<typeof ArgumentsFields> & {
  toolCallId: string;
  original: JsonObject;
};

/**
 * The arguments of a call, changed by a person before it runs, beside what they were. Fields hide what
 * draws nothing or has scrolled away, so what will be sent is shown as it is too.
 */
export function ArgumentsEditor({ original, toolCallId, ...props }: EditorProps): ReactElement {
  const t = useTranslations('approval');
  const args = draftArguments(props.draft);
  const isSound = Object.keys(props.errors).length === 0;
  return (
    <section className="space-y-3">
      <ArgumentsFields {...props} />
      {args !== undefined && isSound && (
        <ApprovalArguments toolCallId={toolCallId} value={args} title={t('willSend')} />
      )}
      {args !== undefined && (
        <Disclosure summary={t('compare')}>
          {() => <DiffView before={toJsonText(original)} after={toJsonText(args)} />}
        </Disclosure>
      )}
    </section>
  );
}
