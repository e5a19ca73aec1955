import { createElement, Fragment, memo, type ReactElement } from 'react';
import type { Piece } from './highlight-engine.ts';
import type { HighlightedCode } from './highlighting.ts';

/** Code with as much of its colours as is known; the rest is plain. */
export function CodeLines(props: { text: string; highlighted: HighlightedCode }): ReactElement {
  const { groups, source } = props.highlighted;
  const rest = props.text.slice(source.length);
  return (
    <code>
      {groups.map((lines, index) => (
        <LineGroup
          // oxlint-disable-next-line react/no-array-index-key -- lines never move
          key={index}
          lines={lines}
          ends={index < groups.length - 1 || source.endsWith('\n')}
        />
      ))}
      {rest}
    </code>
  );
}

interface GroupProps {
  lines: readonly Piece[][];
  /** The last line ends with a line break too. */
  ends: boolean;
}

const LineGroup = memo(function LineGroup({ lines, ends }: GroupProps) {
  const parts = lines.flatMap((line, index) => [
    ...line.map(({ text, kind }) =>
      kind === undefined ? text : createElement('span', { className: `hl-${kind}` }, text),
    ),
    index < lines.length - 1 || ends ? '\n' : '',
  ]);
  return createElement(Fragment, null, ...parts);
});
