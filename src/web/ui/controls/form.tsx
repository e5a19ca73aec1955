import type { ComponentProps, ReactElement } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Gets what was filled in. */
  onSend: (form: FormData) => unknown;
}

/** A form that the page sends itself. */
export function Form({ onSend, ...rest }: FormProps): ReactElement {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(new FormData(event.currentTarget));
      }}
    />
  );
}
