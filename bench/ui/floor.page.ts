import { createElement, memo } from 'react';
import { startPage } from './frame.ts';

const Paragraph = memo(({ text }: { text: string }) => createElement('p', null, text));

/** The text as it is, cut at blank lines: what React and the browser need for the letters alone. */
startPage(({ text }) =>
  createElement(
    'div',
    null,
    ...text.split('\n\n').map((one) => createElement(Paragraph, { text: one })),
  ),
);
