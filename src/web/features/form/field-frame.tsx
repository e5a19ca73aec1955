import { type ReactElement, type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';
import type { FormProblem } from './check-form.ts';
import type { FormNode } from './form-node.ts';

/** What ties a control to its label, its hint and its problem. */
export interface ControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
  'data-pointer': string;
}

/** What every field of a form has. */
export interface FrameProps {
  at: string;
  label: string;
  node: FormNode;
  required: boolean;
  problem: FormProblem | undefined;
  /** More about the field, after its description. */
  hint?: string | undefined;
  /** Small buttons beside the label. */
  actions?: ReactNode;
}

/** A field with one control: label, control, what the server says about it, what is wrong. */
export function FieldFrame(
  props: FrameProps & { children: (control: ControlProps) => ReactNode },
): ReactElement {
  const id = useId();
  const { at, required, problem } = props;
  const described = describedBy(id, props);
  return (
    <div className="min-w-0">
      <div className="mb-1.5 flex min-h-6 items-center gap-2">
        <label htmlFor={id} className="min-w-0 text-sm font-medium break-words">
          {props.label}
          <RequiredMark required={required} />
        </label>
        {props.actions}
      </div>
      {props.children({
        id,
        'data-pointer': at,
        ...(described && { 'aria-describedby': described }),
        ...(problem && { 'aria-invalid': true }),
        ...(required && { 'aria-required': true }),
      })}
      <FieldWords {...props} id={id} />
    </div>
  );
}

/** A field of several controls: the same, as a group with a legend. */
export function GroupFrame(props: FrameProps & { children: ReactNode }): ReactElement {
  const id = useId();
  const described = describedBy(id, props);
  return (
    <fieldset
      data-pointer={props.at}
      tabIndex={-1}
      className="min-w-0 outline-none"
      aria-describedby={described}
    >
      <div className="mb-1.5 flex min-h-6 items-center gap-2">
        <legend className="float-left min-w-0 text-sm font-medium break-words">
          {props.label}
          <RequiredMark required={props.required} />
        </legend>
        {props.actions}
      </div>
      {props.children}
      <FieldWords {...props} id={id} />
    </fieldset>
  );
}

/** The sign of what must be given, with its word for who cannot see it. */
export function RequiredMark({ required }: { required: boolean }): ReactElement | null {
  const t = useTranslations('form');
  if (!required) return null;
  return (
    <span className="text-danger" title={t('required')}>
      <span aria-hidden> *</span>
      <span className="sr-only"> ({t('required')})</span>
    </span>
  );
}

/** The description of a field and its problem, with the ids that `describedBy` names. */
export function FieldWords(
  props: Pick<FrameProps, 'node' | 'hint' | 'problem'> & { id: string },
): ReactElement {
  const problemText = useProblemText();
  const { id, node, hint, problem } = props;
  const words = [node.description, hint].filter(Boolean).join('\n');
  return (
    <>
      {words !== '' && (
        <p
          id={`${id}-hint`}
          className="mt-1.5 max-h-32 overflow-y-auto text-xs break-words whitespace-pre-wrap text-muted"
        >
          {words}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1.5 text-xs break-words text-danger">
          {problemText(problem)}
        </p>
      )}
    </>
  );
}

/** The ids of the words that belong to a field; undefined if it has none. */
export function describedBy(
  id: string,
  { node, hint, problem }: Pick<FrameProps, 'node' | 'hint' | 'problem'>,
): string | undefined {
  const ids = [(node.description ?? hint) && `${id}-hint`, problem && `${id}-problem`];
  return ids.filter(Boolean).join(' ') || undefined;
}

/** Puts a problem into a sentence of the reader's language. */
export function useProblemText(): (problem: FormProblem) => string {
  const t = useTranslations('form.problems');
  return ({ code, n = 0 }) => t(code, { n });
}
