import { parentPort, workerData } from 'node:worker_threads';
import TurndownService from 'turndown';

/** What the worker is given. `base` is the page's address; links are completed with it. */
export interface HtmlJob {
  html: string;
  to: 'markdown' | 'text';
  base: string;
}

/** Elements whose content is not for readers. */
const dropped = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME OBJECT EMBED SVG CANVAS LINK META'.split(' '),
);

const job = workerData as HtmlJob;
parentPort?.postMessage(tidy(job.to === 'markdown' ? toMarkdown(job) : toText(job)), []);

function toMarkdown({ html, base }: HtmlJob): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  service.addRule('dropped', { filter: isDropped, replacement: () => '' });
  service.addRule('title', {
    filter: (node) => nameOf(node) === 'TITLE',
    replacement: (content) => (content.trim() === '' ? '' : `# ${content.trim()}\n\n`),
  });
  service.addRule('link', {
    filter: 'a',
    replacement: (content, node) => {
      const target = webAddress(node, 'href', base);
      const label = content.trim();
      return target === undefined || label === '' ? content : `[${label}](${target})`;
    },
  });
  service.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => {
      const source = webAddress(node, 'src', base);
      return source === undefined ? '' : `![${attribute(node, 'alt')}](${source})`;
    },
  });
  return service.turndown(html);
}

/** Every element becomes its own text; blocks, rows and breaks end a line. */
function toText({ html }: HtmlJob): string {
  const service = new TurndownService();
  service.escape = (text) => text;
  service.addRule('text', {
    filter: () => true,
    replacement: (content, node) => {
      if (isDropped(node)) return '';
      const name = nameOf(node);
      if (name === 'BR') return '\n';
      if (name === 'TD' || name === 'TH') return `${content.trim()}\t`;
      if (name === 'TR' || name === 'LI') return `\n${content.trim()}\n`;
      return 'isBlock' in node && node.isBlock === true ? `\n\n${content}\n\n` : content;
    },
  });
  return service.turndown(html);
}

function isDropped(node: object): boolean {
  return dropped.has(nameOf(node).toUpperCase());
}

/** Of an element. The host's code does not see the DOM, which turndown's types are written in. */
function nameOf(node: object): string {
  return (node as { nodeName: string }).nodeName;
}

function webAddress(node: TurndownService.Node, name: string, base: string): string | undefined {
  const url = URL.parse(attribute(node, name), base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}

function attribute(node: TurndownService.Node, name: string): string {
  const { getAttribute } = node as { getAttribute?: (name: string) => string | null };
  return getAttribute?.call(node, name) ?? '';
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
