import { createHash } from 'node:crypto';
import { type ErrorInfo, hintOf, messageOf } from '#shared/errors/errors.ts';
import { sayIn } from '#shared/errors/sentence.ts';
import { zhHost } from '#shared/messages/zh-host.ts';

/** What a person is told when their browser comes back from a sign-in. */
export type CallbackOutcome =
  | { kind: 'signed-in'; serverName: string }
  | { kind: 'failed'; error: Omit<ErrorInfo, 'code'> }
  /** The browser did not show who it is, because another site sent it here: it is sent once more by us. */
  | { kind: 'again'; path: string };

/** Where the page leads: back to the list of servers, or nowhere because a terminal goes on. */
type Way = 'servers' | 'terminal';

const style = `
:root{color-scheme:light dark;--canvas:#fdfcfb;--ink:#1f1b1a;--muted:#6a625d;--accent:#ad1457;--on:#fff}
@media(prefers-color-scheme:dark){:root{--canvas:#181615;--ink:#ece7e3;--muted:#a59c96;--accent:#c02768}}
body{margin:0;min-height:100dvh;display:grid;place-content:center;padding:1.5rem;box-sizing:border-box;
background:var(--canvas);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;text-align:center}
main{max-width:26rem}
svg{width:3rem;height:3rem}
h1{font-size:1.5rem;letter-spacing:-.01em;margin:1rem 0 .5rem;overflow-wrap:anywhere}
p{margin:.5rem 0;color:var(--muted);overflow-wrap:anywhere}
a{display:inline-block;margin-top:1rem;padding:.5rem 1rem;border-radius:.5rem;background:var(--accent);
color:var(--on);text-decoration:none;font-weight:500}
a:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const words = {
  en: {
    signedIn: (name: string) => `You're signed in to ${name}`,
    failed: 'Sign-in failed',
    again: 'One moment…',
    servers: 'Back to servers',
    terminal: 'You can close this window and return to the terminal.',
    goOn: 'Continue',
    sentences: {} as Record<string, string>,
  },
  zh: {
    signedIn: (name: string) => `已登录 ${name}`,
    failed: '登录失败',
    again: '请稍候…',
    servers: '返回服务器列表',
    terminal: '可以关闭此窗口，回到终端。',
    goOn: '继续',
    sentences: zhHost,
  },
};

/** The page, in the language of the browser. Runs no script and loads nothing. */
export function callbackPage(
  outcome: CallbackOutcome,
  { way, languages = '' }: { way: Way; languages?: string | undefined },
): Response {
  const language = /^\s*zh\b/i.test(languages) ? 'zh' : 'en';
  const text = words[language];
  const [title, lines, link] = contentsOf(outcome, way, text);
  const refresh = link && outcome.kind !== 'failed' ? refreshTo(link.path, outcome.kind) : '';
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>${refresh}<style>${style}</style></head>
<body><main data-outcome="${outcome.kind}">${logo}<h1>${escape(title)}</h1>
${lines.map((line) => `<p>${escape(line)}</p>`).join('\n')}
${link ? `<a href="${escape(link.path)}">${escape(link.text)}</a>` : ''}</main></body></html>`;
  return new Response(html, {
    status: outcome.kind === 'failed' ? 400 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

type Link = { path: string; text: string };

function contentsOf(
  outcome: CallbackOutcome,
  way: Way,
  text: (typeof words)['en'],
): [title: string, lines: string[], link: Link | undefined] {
  const back = way === 'servers' ? { path: '/servers', text: text.servers } : undefined;
  const rest = way === 'terminal' ? [text.terminal] : [];
  switch (outcome.kind) {
    case 'signed-in':
      return [text.signedIn(outcome.serverName), rest, back];
    case 'failed': {
      const why = [messageOf(outcome.error), hintOf(outcome.error) ?? ''];
      const lines = why.map((each) => sayIn(text.sentences, each)).filter((line) => line !== '');
      return [text.failed, [...lines, ...rest], back];
    }
    case 'again':
      return [text.again, [], { path: outcome.path, text: text.goOn }];
  }
}

function refreshTo(path: string, kind: 'signed-in' | 'again'): string {
  const seconds = kind === 'again' ? 0 : 1;
  return `<meta http-equiv="refresh" content="${seconds};url=${escape(path)}">`;
}

/** Names, words of strangers and queries are text here, whatever they hold. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The two cherries of the web page. */
const logo =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M11 19C12 11 16 6 24 4M21.5 19C21 12 21 8 24 4" fill="none" stroke="#4f7a3a" stroke-width="2" stroke-linecap="round"/><circle cx="10" cy="22" r="6.5" fill="#c01f45"/><circle cx="22" cy="22.5" r="6.5" fill="#a3143a"/><circle cx="8" cy="20" r="1.6" fill="#fff" opacity=".55"/></svg>';
