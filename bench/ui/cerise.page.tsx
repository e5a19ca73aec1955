import { IntlProvider } from 'use-intl';
import { Markdown } from '#web/features/markdown/markdown.tsx';
import { warmUp } from '#web/features/markdown/warm-up.ts';
import { en } from '#web/messages/en/en.ts';
import { type Answer, startPage } from './frame.ts';

const Cerise: Answer = ({ text, growing }) => (
  <IntlProvider locale="en" messages={en} timeZone="UTC">
    <Markdown text={text} growing={growing} />
  </IntlProvider>
);

// As the app does at its start.
void warmUp((text, growing) => <Cerise text={text} growing={growing} />);
startPage(Cerise);
