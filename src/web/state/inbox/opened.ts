import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import { firstSight, type Unseen } from '../../ui/text/first-sight.ts';

interface Opened {
  /** What a person has opened to see all of it, by the id of the call or the question. */
  opened: ReadonlySet<string>;
  /** What has been drawn at all: far from the sight, or while its part is loading, nothing is. */
  drawn: ReadonlySet<string>;
}

/** What there was to see of what waits for a person. Losing it costs a look, so it is kept nowhere. */
export const useOpened = create<Opened>(() => ({ opened: new Set(), drawn: new Set() }));

/** What of these texts is not drawn; undefined where all of it is. */
export function useUnseenTexts(id: string, texts: readonly string[]): Unseen | undefined {
  const opened = useOpened((state) => state.opened.has(id));
  return opened ? undefined : firstSight(texts).rest;
}

/** Shows everything there is to see of these. */
export function openWhole(ids: readonly string[]): void {
  useOpened.setState(({ opened }) => ({ opened: new Set([...opened, ...ids]) }));
}

/** Notes that what is to be decided stands in the page. */
export function useDrawn(id: string): void {
  useLayoutEffect(() => {
    useOpened.setState(({ drawn }) => ({ drawn: new Set([...drawn, id]) }));
  }, [id]);
}
