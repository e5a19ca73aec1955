import type { ReactElement, ReactNode } from 'react';

interface PageProps {
  title: string;
  intro?: string;
  action?: ReactNode;
  /** The way to its sections: beside them where there is room, else above. */
  nav?: ReactNode;
  children: ReactNode;
}

/** A page with a heading, apart from conversations. */
export function Page({ title, intro, action, nav, children }: PageProps): ReactElement {
  return (
    <div className="page-scroller relative min-h-0 flex-1">
      <div className="@container">
        <div
          className={`mx-auto w-full max-w-measure px-4 py-8 sm:px-6 sm:py-10 ${nav ? '@min-[58rem]:max-w-[58rem]' : ''}`}
        >
          <div className="mb-6 flex flex-wrap items-start justify-between gap-4 sm:flex-nowrap">
            <div className="max-w-lg min-w-0">
              <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
              {intro && <p className="mt-1.5 text-sm text-pretty text-muted">{intro}</p>}
            </div>
            {action && <div className="shrink-0">{action}</div>}
          </div>
          {nav ? (
            <div className="@min-[58rem]:grid @min-[58rem]:grid-cols-[10rem_minmax(0,1fr)] @min-[58rem]:gap-x-8">
              {nav}
              {children}
            </div>
          ) : (
            children
          )}
        </div>
      </div>
    </div>
  );
}
