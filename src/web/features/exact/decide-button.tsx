import type { ComponentProps, ReactElement } from 'react';
import { useStill } from '../../state/inbox/still.ts';
import { Button } from '../../ui/controls/button.tsx';

interface DecideButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** What there is to decide. */
  shown: string;
  onDecide: () => void;
}

/** A button that says yes to what is shown: not by a click that was meant for what stood there before. */
export function DecideButton({ shown, onDecide, ...props }: DecideButtonProps): ReactElement {
  const still = useStill(shown);
  return (
    <Button
      {...props}
      aria-disabled={!still}
      onClick={({ detail }) => {
        // Keys are pressed on what has the focus, which nothing takes away.
        if (still || detail === 0) onDecide();
      }}
    />
  );
}
