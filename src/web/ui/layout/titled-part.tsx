import type { ReactElement, ReactNode } from 'react';

/** A part of a page of settings, with what it is for. */
export function TitledPart(props: {
  title: string;
  hint: string;
  children: ReactNode;
}): ReactElement {
  const { title, hint, children } = props;
  return (
    <section aria-label={title}>
      <h3 className="text-sm font-semibold">{title}</h3>
      <p className="mt-1 mb-3 text-sm text-pretty text-muted">{hint}</p>
      {children}
    </section>
  );
}
