import { ImageIcon } from 'lucide-react';
import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { decodeReferences, isPicture, safeLink } from './safe-text.ts';

const deepest = 40;

/** React elements of inline tokens; raw HTML is shown as the text it is. */
export function renderInline(tokens: Token[] | undefined, depth = 0): ReactNode {
  if (!tokens) return null;
  if (depth > deepest) return tokens.map(({ raw }) => raw).join('');
  return createElement(Fragment, null, ...tokens.map((token) => renderOne(token, depth + 1)));
}

function renderOne(token: Token, depth: number): ReactNode {
  const known = token as MarkedToken;
  switch (known.type) {
    case 'text':
      return known.tokens ? renderInline(known.tokens, depth) : decodeReferences(known.text);
    case 'escape':
      return known.text;
    case 'strong':
      return <strong>{renderInline(known.tokens, depth)}</strong>;
    case 'em':
      return <em>{renderInline(known.tokens, depth)}</em>;
    case 'del':
      return <del>{renderInline(known.tokens, depth)}</del>;
    case 'codespan':
      return <code>{known.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <SafeLink href={known.href}>{renderInline(known.tokens, depth)}</SafeLink>;
    case 'image':
      return renderImage(known);
    case 'checkbox':
      return <input type="checkbox" checked={known.checked} disabled readOnly />;
    default:
      return token.raw;
  }
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
