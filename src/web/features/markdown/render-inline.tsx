import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { decodeReferences, isPicture, webLink } from '../../ui/text/safe-text.ts';
import { splitCitationMarks } from '../sources/citation-marks.ts';
import { SourceMark } from '../sources/sources.tsx';
import { FootnoteMark } from './footnote-mark.tsx';
import { withoutDirection } from './link-facts.ts';
import { SafeLink } from './link.tsx';
import { MathView } from './math/math.tsx';
import type { MathToken } from './parse/math-tokens.ts';
import { RemotePicture } from './remote-picture.tsx';

const deepest = 40;

/** React elements of inline tokens; raw HTML is shown as the text it is. */
export function renderInline(tokens: Token[] | undefined): ReactNode {
  return renderAll(tokens, { depth: 0, linked: false });
}

/** Where a token stands: how deep, and whether inside of a link, which can hold no other. */
interface Place {
  depth: number;
  linked: boolean;
}

function renderAll(tokens: Token[] | undefined, { depth, linked }: Place): ReactNode {
  if (!tokens) return null;
  if (depth > deepest) return tokens.map(({ raw }) => raw).join('');
  const place = { depth: depth + 1, linked };
  const [only] = tokens;
  // Most paragraphs are words alone.
  if (only && tokens.length === 1) return renderOne(only, place);
  return createElement(Fragment, null, ...tokens.map((token) => renderOne(token, place)));
}

function renderOne(token: Token, place: Place): ReactNode {
  const known = token as MarkedToken;
  switch (known.type) {
    case 'text':
      return known.tokens ? renderAll(known.tokens, place) : renderText(known.text, place);
    case 'escape':
      return known.text;
    case 'strong':
      return <strong>{renderAll(known.tokens, place)}</strong>;
    case 'em':
      return <em>{renderAll(known.tokens, place)}</em>;
    case 'del':
      return <del>{renderAll(known.tokens, place)}</del>;
    case 'codespan':
      return <code>{known.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return renderLink(known, place);
    case 'image':
      return renderImage(known, place);
    case 'checkbox':
      return <TaskMark done={known.checked} />;
    default:
      return renderOwn(token, place);
  }
}

/** Tokens that are ours, and raw HTML. */
function renderOwn(token: Token, { linked }: Place): ReactNode {
  if (token.type === 'math') {
    const { text, display } = token as MathToken;
    return <MathView source={text} display={display} />;
  }
  if (token.type === 'footnote-mark' && !linked) {
    const { label, raw } = token as Tokens.Generic & { label: string };
    return <FootnoteMark label={label} raw={raw} />;
  }
  return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw;
}

function renderText(text: string, { linked }: Place): ReactNode {
  if (linked || !/[[【]\d/.test(text)) return decodeReferences(text);
  const pieces = splitCitationMarks(text).map((piece) =>
    typeof piece === 'string'
      ? decodeReferences(piece)
      : createElement(SourceMark, { mark: piece }),
  );
  return createElement(Fragment, null, ...pieces);
}

/** A link inside of a link is only its words. */
function renderLink(token: Tokens.Link, place: Place): ReactNode {
  const words = renderAll(token.tokens, { ...place, linked: true });
  if (place.linked) return words;
  return (
    <SafeLink href={token.href} words={decodeReferences(token.text)}>
      {words}
    </SafeLink>
  );
}

/** Inline data is shown. A remote picture would tell its host about the reader: it waits for a click. */
function renderImage(token: Tokens.Image, { linked }: Place): ReactNode {
  const name = withoutDirection(decodeReferences(token.text)) || token.href.slice(0, 200);
  const data = /^data:(image\/[a-z]+);base64,[A-Za-z0-9+/=]+$/.exec(token.href);
  if (data && isPicture(data[1])) return <img src={token.href} alt={name} loading="lazy" />;
  const address = linked ? null : webLink(token.href);
  if (address !== null) return <RemotePicture key={address} address={address} name={name} />;
  return <span title={token.href.slice(0, 200)}>{name}</span>;
}

/** The box of a task: it only shows, and says how the task stands. */
function TaskMark({ done }: { done: boolean }) {
  const t = useTranslations('markdown');
  const label = done ? t('taskDone') : t('taskOpen');
  return <input type="checkbox" aria-label={label} checked={done} disabled readOnly />;
}
