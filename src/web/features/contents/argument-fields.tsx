import type { ReactElement } from 'react';
import type { CompletionRef } from '#client/api/servers.ts';
import { CompletionField } from './completion-field.tsx';

/** One argument of a prompt, or one variable of a template. */
export interface Argument {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  required: boolean;
}

interface ArgumentFieldsProps {
  serverId: string;
  /** What the arguments are of. */
  of: CompletionRef;
  args: Argument[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
  /** Whether the first one gets the focus. */
  autoFocus?: boolean;
}

/** A line for each argument, with what the server proposes for it. */
export function ArgumentFields(props: ArgumentFieldsProps): ReactElement {
  const { serverId, of, args, values, onChange, autoFocus = false } = props;
  const ask = { serverId, ref: of, known: nonEmptyValues(values) };
  return (
    <>
      {args.map((argument, index) => (
        <CompletionField
          key={argument.name}
          {...argument}
          autoFocus={autoFocus && index === 0}
          value={values[argument.name] ?? ''}
          onChange={(value) => onChange({ ...values, [argument.name]: value })}
          ask={ask}
        />
      ))}
    </>
  );
}

/** The values that say something. */
export function nonEmptyValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
