import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { AbortCall } from './abort-call.tsx';

/** A running call: a bar where the server says how far it is, its words, and a way to stop it alone. */
export function ToolProgressBar({ block }: { block: ToolBlock }): ReactElement {
  const t = useTranslations('tool');
  const { ratio, message } = block.progress ?? {};
  const percent =
    ratio === undefined ? undefined : Math.round(Math.min(1, Math.max(0, ratio)) * 100);
  return (
    <div className="flex items-center gap-3 px-3.5 pb-2 pl-10">
      <div className="min-w-0 flex-1">
        {block.progress && (
          <div
            role="progressbar"
            aria-label={t('progress')}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            className="h-1 overflow-hidden rounded-full bg-hover"
          >
            <div
              className={`h-full rounded-full bg-accent transition-[width] ${percent === undefined ? 'w-1/3 animate-pulse' : ''}`}
              style={percent === undefined ? undefined : { width: `${percent}%` }}
            />
          </div>
        )}
        {(message || percent !== undefined) && (
          <p className="mt-1.5 flex justify-between gap-3 text-xs text-muted">
            <span className="truncate">{message}</span>
            {percent !== undefined && <span className="tabular-nums">{percent}%</span>}
          </p>
        )}
      </div>
      <AbortCall toolCallId={block.toolCallId} />
    </div>
  );
}
