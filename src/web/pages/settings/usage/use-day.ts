import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type HTMLAttributes,
  useState,
} from 'react';

/** Where a key leads among so many days; undefined: to none, and `null`: it is no such key. */
export function dayByKey(
  key: string,
  day: number | undefined,
  count: number,
): number | undefined | null {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, (day ?? count) - 1);
    case 'ArrowRight':
      return Math.min(count - 1, (day ?? count - 2) + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return undefined;
    default:
      return null;
  }
}

/** The day under a place of a chart, of which `share` (0 to 1) lies to its left. */
export function dayAt(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)));
}

/** The day of a chart that is pointed at, touched, or gone to by arrow keys, and what an element needs for that. */
export function useDay(count: number): {
  day: number | undefined;
  listeners: HTMLAttributes<HTMLElement>;
} {
  const [day, setDay] = useState<number>();
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setDay(dayAt((clientX - left) / width, count));
  };
  const listeners = {
    onPointerDown: point,
    onPointerMove: point,
    // A finger that is lifted leaves what it has shown.
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') setDay(undefined);
    },
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      if (currentTarget.matches(':focus-visible')) setDay(count - 1);
    },
    onBlur: () => setDay(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      const next = dayByKey(event.key, day, count);
      if (next === null) return;
      event.preventDefault();
      setDay(next);
    },
  };
  return { day: day !== undefined && day < count ? day : undefined, listeners };
}
