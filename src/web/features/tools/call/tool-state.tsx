import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleX,
  Clock,
  Hand,
  LoaderCircle,
  type LucideIcon,
  Pause,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { ToolCallState } from '#shared/vocabulary/tool.ts';

/** Icon and colour of every state of a call; its words have the state's own name. */
const looks: Record<ToolCallState | 'asks', { Icon: LucideIcon; look: string }> = {
  proposed: { Icon: CircleDashed, look: 'text-muted' },
  asks: { Icon: Hand, look: 'text-warn' },
  approved: { Icon: LoaderCircle, look: 'text-accent-text animate-spin' },
  dispatching: { Icon: LoaderCircle, look: 'text-accent-text animate-spin' },
  parked: { Icon: Pause, look: 'text-warn' },
  succeeded: { Icon: Check, look: 'text-ok' },
  failed: { Icon: CircleX, look: 'text-danger' },
  cancelled: { Icon: Ban, look: 'text-muted' },
  timed_out: { Icon: Clock, look: 'text-danger' },
  denied: { Icon: Ban, look: 'text-danger' },
  outcome_unknown: { Icon: CircleHelp, look: 'text-warn' },
};

/** Where a call stands, as icon and words. */
export function ToolStateMark({ block }: { block: ToolBlock }): ReactElement {
  return <CallStateMark state={displayState(block)} />;
}

/** The same for a state. */
export function CallStateMark({ state }: { state: ToolCallState | 'asks' }): ReactElement {
  const t = useTranslations('tool');
  const { Icon, look } = looks[state];
  return (
    <>
      <Icon aria-hidden className={`size-4 shrink-0 ${look}`} />
      <span className="sr-only">{t(state)}</span>
    </>
  );
}

/** The words for a call's state. */
export function ToolStateLabel({ block }: { block: ToolBlock }): ReactElement {
  const t = useTranslations('tool');
  return <span>{t(displayState(block))}</span>;
}

/** A block that ended while its call was open was cut off with its answer. */
function displayState(block: ToolBlock): ToolCallState | 'asks' {
  if (block.approval && block.state === 'proposed') return 'asks';
  if (block.status === 'interrupted' || block.status === 'cancelled') return 'cancelled';
  return block.state;
}
