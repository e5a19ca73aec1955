import { type ReactElement, type ReactNode, useId } from 'react';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** Gets the id that ties the control to its label. */
  children: (ids: { id: string; 'aria-describedby'?: string }) => ReactNode;
}

/** A labelled control of a form. */
export function Field({ label, hint, children }: FieldProps): ReactElement {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children(hint ? { id, 'aria-describedby': hintId } : { id })}
      {hint && (
        <p id={hintId} className="mt-1.5 text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
