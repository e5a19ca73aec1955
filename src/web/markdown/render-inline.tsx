import { ImageIcon } from 'lucide-react';
import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { splitCitationMarks } from './citation-marks.ts';
import { decodeReferences, isPicture, safeLink } from './safe-text.ts';
import { SourceMark } from './sources.tsx';

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
      return (
        <SafeLink href={known.href}>{renderAll(known.tokens, { ...place, linked: true })}</SafeLink>
      );
    case 'image':
      return renderImage(known);
    case 'checkbox':
      return <input type="checkbox" checked={known.checked} disabled readOnly />;
    default:
      return token.raw;
  }
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

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const target = safeLink(href);
  if (target === null) return <span title={href}>{children}</span>;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** A remote picture would tell its host about the reader: it is a link. Inline data is shown. */
function renderImage(token: Tokens.Image): ReactNode {
  const name = decodeReferences(token.text) || token.href;
  const data = /^data:(image\/[a-z]+);base64,[A-Za-z0-9+/=]+$/.exec(token.href);
  if (data && isPicture(data[1])) return <img src={token.href} alt={name} loading="lazy" />;
  return (
    <SafeLink href={token.href}>
      <ImageIcon aria-hidden className="mr-1 inline size-4 align-[-0.15em]" />
      {name}
    </SafeLink>
  );
}
