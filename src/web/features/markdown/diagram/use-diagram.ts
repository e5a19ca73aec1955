import { type RefObject, useEffect, useState } from 'react';
import { readPart } from '../../../state/page/parts.ts';
import { useDark } from '../../../ui/hooks/use-dark.ts';
import { useNear } from '../../../ui/hooks/use-near.ts';
import type { DiagramLook } from './diagram-protocol.ts';

/** A drawing as the text of an SVG, or why there is none. Neither: it is on its way. */
interface Drawing {
  svg?: string;
  problem?: string;
  /** The problem is that it took too long. */
  isLate?: boolean;
}

const mostKept = 50;
const drawings = new Map<string, Drawing>();

/** The drawing of a diagram in the colours of the page; begun when its place comes near. */
export function useDiagram(place: RefObject<HTMLElement | null>, source: string): Drawing {
  const dark = useDark();
  const near = useNear(place);
  const key = `${dark ? 'dark' : 'light'}\n${source}`;
  const [, setCount] = useState(0);
  useEffect(() => {
    if (!near || drawings.has(key)) return;
    let gone = false;
    void draw(source, dark).then((drawing) => {
      keep(key, drawing);
      if (!gone) setCount((count) => count + 1);
    });
    return () => {
      gone = true;
    };
  }, [near, key, source, dark]);
  return drawings.get(key) ?? {};
}

async function draw(source: string, dark: boolean): Promise<Drawing> {
  try {
    const { drawDiagram } = await readPart(() => import('./draw-diagram.ts'));
    return { svg: await drawDiagram(source, lookOf(dark)) };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return { problem: error instanceof Error ? error.message : String(error), isLate };
  }
}

function keep(key: string, drawing: Drawing): void {
  const [oldest] = drawings.keys();
  if (oldest !== undefined && drawings.size >= mostKept) drawings.delete(oldest);
  drawings.set(key, drawing);
}

function lookOf(dark: boolean): DiagramLook {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    dark,
    ink: token('ink'),
    muted: token('muted'),
    canvas: token('raised'),
    sunken: token('sunken'),
    line: token('line-strong'),
    accent: token('accent-text'),
    soft: token('accent-soft'),
    font: getComputedStyle(document.body).fontFamily,
  };
}
