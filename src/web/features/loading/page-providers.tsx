import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactElement, ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { useLanguage } from '../../state/page/language.ts';
import { regional } from '../../ui/text/languages.ts';

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

/** What every part of the page needs around it; nothing is shown before the texts are there. */
export function PageProviders({ children }: { children: ReactNode }): ReactElement | null {
  const language = useLanguage();
  if (!language) return null;
  return (
    <IntlProvider {...language} locale={regional(language.locale)} timeZone={timeZone}>
      <CSPProvider disableStyleElements>{children}</CSPProvider>
    </IntlProvider>
  );
}
