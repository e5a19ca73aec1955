import { IntlProvider } from 'use-intl';
import { Markdown } from '#web/markdown/markdown.tsx';
import { en } from '#web/messages/en.ts';
import { startPage } from './frame.ts';

startPage(({ text, growing }) => (
  <IntlProvider locale="en" messages={en} timeZone="UTC">
    <Markdown text={text} growing={growing} />
  </IntlProvider>
));
