import type { TabMark } from '../state/attention/tab-title.ts';
import icon from '../ui/layout/icon.svg?raw';

/**
 * The marks at the corner of the icon, told apart by shape too. Each colour is seen on a light and on a
 * dark row of tabs; around a mark the cherries are cut away, whatever lies behind them.
 */
export const marks: Record<Exclude<TabMark, 'none'>, { colour: string; drawing: string }> = {
  waiting: {
    colour: '#d97706',
    drawing: '<circle cx="23.500" cy="23.500" r="8.500" fill="#d97706"/>',
  },
  finished: {
    colour: '#16a34a',
    drawing:
      '<circle cx="23.500" cy="23.500" r="8.500" fill="#16a34a"/><path d="M19.500 23.800l3 3 5-6" fill="none" stroke="#fff" stroke-width="2.500" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  running: {
    colour: '#5b7bb5',
    drawing:
      '<circle cx="23.500" cy="23.500" r="6.500" fill="none" stroke="#5b7bb5" stroke-width="4"/>',
  },
};

/** The icon of the page with a mark on it, as an address. */
export function drawIcon(mark: Exclude<TabMark, 'none'>, plain = icon): string {
  const start = plain.indexOf('>') + 1;
  const cherries = plain.slice(start, plain.lastIndexOf('</svg>'));
  const cut =
    '<mask id="m"><path fill="#fff" d="M0 0h32v32H0z"/><circle cx="23.500" cy="23.500" r="10.500"/></mask>';
  const svg = `${plain.slice(0, start)}${cut}<g mask="url(#m)">${cherries}</g>${marks[mark].drawing}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
