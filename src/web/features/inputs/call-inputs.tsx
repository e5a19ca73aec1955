import { type ReactElement } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useInputs } from '../../state/inbox/inputs.ts';
import { lazyPart, Part } from '../loading/part.tsx';

const InputCard = lazyPart(async () => (await import('./input-card.tsx')).InputCard);

/** The open questions of one call, shown where the call is. */
export function CallInputs({ toolCallId }: { toolCallId: string }): ReactElement | null {
  const inputs = useInputs(
    useShallow((state) => state.inputs.filter((input) => input.toolCallId === toolCallId)),
  );
  if (inputs.length === 0) return null;
  return (
    <Part>
      <div className="divide-y divide-line border-t border-line">
        {inputs.map((input) => (
          <InputCard key={input.id} input={input} />
        ))}
      </div>
    </Part>
  );
}
