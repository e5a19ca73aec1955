import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { SlotWatch } from './slot-watch.ts';

/** The watch of the scroller around; null where everything is drawn. */
export const SlotWatchContext = createContext<SlotWatch | null>(null);

interface SlotProps {
  /** By this it is found while it is empty. */
  name: string;
  /** Drawn wherever it is. */
  always: boolean;
  /** Its height in pixels as long as it was never drawn. */
  estimate: number;
  className?: string;
  children: ReactNode;
}

/**
 * A place whose content is there only while it is near the sight; far away its height stands for it.
 * What somebody has touched (opened, edited, played) or looks at with the focus stays.
 */
export function Slot({ name, always, estimate, className, children }: SlotProps): ReactElement {
  const watch = useContext(SlotWatchContext);
  const element = useRef<HTMLDivElement>(null);
  const touched = useRef(false);
  const isVirtual = watch !== null && !always;
  const [height, setHeight] = useState<number | null>(isVirtual ? estimate : null);
  const shown = useRef(!isVirtual);
  useEffect(() => {
    const box = element.current;
    if (!isVirtual || !box) return;
    return watch.watch(box, shown.current, (isShown) => {
      if (!isShown && (touched.current || isInUse(box))) return;
      shown.current = isShown;
      setHeight(isShown ? null : box.offsetHeight);
    });
  }, [watch, isVirtual]);
  const isDrawn = !isVirtual || height === null;
  const touch = () => (touched.current = true);
  return (
    <div
      ref={element}
      data-slot={name}
      data-drawn={isDrawn}
      className={className}
      style={isDrawn ? undefined : { height: height ?? estimate }}
      onClickCapture={touch}
      onInputCapture={touch}
    >
      {isDrawn && children}
    </div>
  );
}

function isInUse(box: Element): boolean {
  if (box.contains(document.activeElement)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(box, true);
}
