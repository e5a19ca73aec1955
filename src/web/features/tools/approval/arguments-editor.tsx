import { type ComponentProps, type ReactElement, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { formMark, useOpenedFocus } from '../../../ui/focus/question-focus.ts';
import { DiffView } from '../../../ui/text/diff-view.tsx';
import { toJsonText } from '../../form/unread.ts';
import { draftArguments } from '../arguments/arguments-draft.ts';
import { ArgumentsFields } from '../arguments/arguments-fields.tsx';

type EditorProps = ComponentProps<typeof ArgumentsFields> & {
  original: JsonObject;
};

/**
 * The arguments of a call, changed by a person before it runs, beside what they were. Fields hide what
 * draws nothing or has scrolled away: whoever shows them shows what will be sent as well.
 */
export function ArgumentsEditor({ original, ...props }: EditorProps): ReactElement {
  const t = useTranslations('approval');
  const args = draftArguments(props.draft);
  const section = useRef<HTMLElement>(null);
  useOpenedFocus(section);
  return (
    <section ref={section} {...formMark} className="space-y-3">
      <ArgumentsFields {...props} />
      {args !== undefined && (
        <Disclosure summary={t('compare')}>
          {() => <DiffView before={toJsonText(original)} after={toJsonText(args)} />}
        </Disclosure>
      )}
    </section>
  );
}
