import type { ReactElement } from 'react';
import type { FormErrors } from './check-form.ts';
import { useProblemText } from './field-frame.tsx';

const most = 5;

/** Problems with their places, for where no field can show them. */
export function ProblemList({ errors }: { errors: FormErrors }): ReactElement | null {
  const problemText = useProblemText();
  const entries = Object.entries(errors).slice(0, most);
  if (entries.length === 0) return null;
  return (
    <ul role="alert" className="mt-1.5 space-y-0.5 text-xs break-words text-danger">
      {entries.map(([at, problem]) => (
        <li key={at}>
          <span className="font-mono">{at}</span> {problemText(problem)}
        </li>
      ))}
    </ul>
  );
}
