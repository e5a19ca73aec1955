import { type ComponentProps, type ReactElement, useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** The kinds of files that are offered. */
  accept: string;
  onFile: (file: File) => void;
  inputTestId?: string;
}

/** A button that opens the system's choice of one file. */
export function FileButton(props: FileButtonProps): ReactElement {
  const { accept, onFile, inputTestId, ...rest } = props;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept={accept}
        data-testid={inputTestId}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file can be chosen again.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
      <Button {...rest} onClick={() => picker.current?.click()} />
    </>
  );
}
