import { type ReactElement, useId, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { argumentTexts, firstOfArguments } from '../../../features/exact/argument-texts.ts';
import { type Decision, decideAll } from '../../../features/tools/approval/decide.ts';
import {
  RememberedScope,
  type Scope,
  ScopeChoice,
} from '../../../features/tools/approval/scope-choice.tsx';
import { previewArguments } from '../../../features/tools/arguments/preview-arguments.ts';
import { useArgumentsDrafts } from '../../../state/inbox/arguments-drafts.ts';
import { openWhole, useOpened } from '../../../state/inbox/opened.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { goToCall } from '../../../ui/focus/question-focus.ts';
import { useStill } from '../../../state/inbox/still.ts';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { toggled } from '../../../ui/controls/toggled.ts';

/** A list of the calls that wait, to decide on several at once; what is being changed is decided by itself. */
export function ApprovalBatch({ message }: { message: Message }): ReactElement | null {
  const t = useTranslations('approval');
  const [busy, act] = useBusy();
  /** Those a person has taken out; what comes later is in. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const asking = useAsking(message);
  if (asking.length < 2) return null;
  const picked = asking.filter(({ toolCallId }) => !left.has(toolCallId));
  return (
    <section
      aria-label={t('several', { count: asking.length })}
      data-testid="approval-batch"
      className="rounded-xl border border-line bg-warn-soft px-3.5 py-3 text-sm"
    >
      <p className="font-medium">{t('several', { count: asking.length })}</p>
      <ul className="my-2 max-h-64 overflow-y-auto">
        {asking.map((block) => (
          <li key={block.id}>
            <Pick
              block={block}
              checked={!left.has(block.toolCallId)}
              disabled={busy}
              onChange={(on) => setLeft(toggled(left, block.toolCallId, !on))}
            />
          </li>
        ))}
      </ul>
      <DecidePicked
        picked={picked}
        busy={busy}
        onDecide={(decision) => void act(() => decideAll(picked, decision))}
      />
    </section>
  );
}

/** The calls that wait for a decision, without those whose arguments are being changed. */
function useAsking({ blocks }: Message): ToolBlock[] {
  const changed = useArgumentsDrafts(({ drafts }) => drafts);
  return blocks
    .filter((block) => block.type === 'tool')
    .filter((block) => block.approval !== undefined && isBlockOpen(block))
    .filter(({ toolCallId }) => changed[toolCallId] === undefined);
}

interface DecidePickedProps {
  picked: ToolBlock[];
  busy: boolean;
  onDecide: (decision: Decision) => void;
}

/** The decision on what is picked; approval waits until all of it was seen. */
function DecidePicked({ picked, busy, onDecide }: DecidePickedProps) {
  const t = useTranslations('approval');
  const noteId = useId();
  const [scope, setScope] = useState<Scope>('once');
  const host = useHosts(picked);
  const unseen = useUnseen(picked);
  // What came a moment ago is not what somebody is about to press on.
  const still = useStill(picked.map(({ toolCallId }) => toolCallId).join(' '));
  const count = picked.length;
  const chosen = scope === 'host' && host === undefined ? 'once' : scope;
  return (
    <>
      {unseen.length > 0 && <Unseen id={noteId} ids={unseen} />}
      <div className="flex flex-wrap items-center gap-2">
        <ScopeChoice value={chosen} onChange={setScope} {...{ host, disabled: busy }} hasTopic />
        <Button
          variant="primary"
          data-testid="approve-picked"
          disabled={busy || count === 0 || unseen.length > 0}
          aria-describedby={unseen.length > 0 ? noteId : undefined}
          aria-disabled={!still}
          onClick={() => still && onDecide(chosen)}
        >
          {t('approveSome', { count })}
        </Button>
        <Button
          variant="danger"
          data-testid="deny-picked"
          disabled={busy || count === 0}
          onClick={() => onDecide('deny')}
        >
          {t('denySome', { count })}
        </Button>
      </div>
      <RememberedScope scope={chosen} />
    </>
  );
}

/** The hosts of several calls; undefined unless each of them names one. */
function useHosts(calls: readonly ToolBlock[]): string | undefined {
  const format = useFormatter();
  const hosts = calls.flatMap(({ approval }) => approval?.host ?? []);
  if (hosts.length === 0 || hosts.length < calls.length) return undefined;
  return format.list([...new Set(hosts)]);
}

/** The calls whose arguments are not drawn in full where they stand, above. */
function useUnseen(calls: readonly ToolBlock[]): string[] {
  const { opened, drawn } = useOpened();
  const isSeen = ({ toolCallId, arguments: value }: ToolBlock) =>
    drawn.has(toolCallId) &&
    (opened.has(toolCallId) || firstOfArguments(argumentTexts(value)).rest === undefined);
  return calls.filter((call) => !isSeen(call)).map(({ toolCallId }) => toolCallId);
}

function Unseen({ id, ids }: { id: string; ids: string[] }) {
  const t = useTranslations('approval');
  return (
    <p id={id} data-testid="unseen-picked" className="mb-2 text-xs text-warn">
      {t('unseenSome', { count: ids.length })}{' '}
      <button
        type="button"
        aria-expanded={false}
        data-testid="show-picked"
        onClick={() => {
          openWhole(ids);
          goToCall(ids[0]);
        }}
        className="font-medium text-accent-text underline"
      >
        {t('showEverything')}
      </button>
    </p>
  );
}

function Pick(props: {
  block: ToolBlock;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}) {
  const t = useTranslations('approval');
  const { block, onChange, ...control } = props;
  const preview = previewArguments(block);
  return (
    <label className="flex min-h-9 items-center gap-2.5">
      <Checkbox
        {...control}
        aria-label={t('pick', { tool: block.toolName, preview })}
        onCheck={onChange}
      />
      <span className="shrink-0 font-medium">
        <VisibleText text={block.toolName} />
      </span>
      <span className="min-w-0 truncate font-mono text-xs text-muted">
        <VisibleText text={preview} />
      </span>
    </label>
  );
}
