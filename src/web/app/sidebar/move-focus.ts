import type { KeyboardEvent } from 'react';
import { isPressed } from '../../state/page/shortcuts.ts';

const rows = '[data-testid="topic-row"] a, [data-testid="search-hit"]';

/** Goes through a list of conversations with the arrow keys, Home and End. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  if (!isPressed('listMove', event) || !(target instanceof Element) || !target.matches(rows))
    return;
  const links = [...currentTarget.querySelectorAll<HTMLElement>(rows)];
  const here = links.findIndex((link) => link === target);
  const places: Record<string, number> = {
    ArrowDown: Math.min(here + 1, links.length - 1),
    ArrowUp: Math.max(here - 1, 0),
    Home: 0,
    End: links.length - 1,
  };
  const place = places[key];
  if (place === undefined) return;
  event.preventDefault();
  links[place]?.focus();
}

/** Goes from the search field into the list below it. */
export function focusFirst(event: KeyboardEvent<HTMLElement>): void {
  const first = event.currentTarget.closest('nav')?.querySelector<HTMLElement>(rows);
  if (!first) return;
  event.preventDefault();
  first.focus();
}
