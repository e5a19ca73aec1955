import { ShieldQuestion } from 'lucide-react';
import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { draftArguments, draftErrors, inMode } from '../arguments/arguments-draft.ts';
import { ExactArguments, useUnseenArguments } from '../../exact/exact-arguments.tsx';
import { lazyPart, Part } from '../../loading/part.tsx';
import {
  type ArgumentsDraft,
  keepArguments,
  useArgumentsDrafts,
} from '../../../state/inbox/arguments-drafts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DecideButton } from '../../exact/decide-button.tsx';
import {
  askingMark,
  callMark,
  focusAfter,
  usePoliteFocus,
} from '../../../ui/focus/question-focus.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showNotice } from '../../../ui/notices/notices.ts';
import { UnseenNote } from '../../../ui/text/unseen.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { ServerPlace, ApprovalReason } from './approval-facts.tsx';
import { type AskingCall, decide, type Decision } from './decide.ts';
import { RememberedScope, ScopeChoice, type Scope } from './scope-choice.tsx';
import { useToolSchema } from './use-tool-schema.ts';

const ArgumentsEditor = lazyPart(
  async () => (await import('./arguments-editor.tsx')).ArgumentsEditor,
);

/** Asks whether a call may run: what, where, with exactly which arguments, and why it is asked. */
export function ApprovalCard({ block }: { block: AskingCall }): ReactElement {
  const titleId = useId();
  const card = useRef<HTMLDivElement>(null);
  const { toolCallId } = block;
  const sent = useArguments(block);
  const { draft, args } = sent;
  const { busy, error, choose } = useChoice(block, card);
  usePoliteFocus(card);
  const unseen = useUnseenArguments(toolCallId, args);
  const noteId = useId();
  return (
    <div
      ref={card}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid="approval"
      {...askingMark}
      {...callMark(toolCallId)}
      className="border-t border-line bg-warn-soft/60 px-3.5 py-3 -outline-offset-2 pointer-coarse:outline-none"
    >
      <Facts block={block} titleId={titleId} />
      <SentArguments block={block} sent={sent} busy={busy} />
      {unseen && <UnseenNote id={noteId} rest={unseen} />}
      {error && <Refused error={error} />}
      <Choices
        block={block}
        isEdited={draft !== undefined}
        busy={busy}
        isReady={args !== undefined && unseen === undefined}
        noteId={unseen && noteId}
        onApprove={(scope) => void choose(scope, draft && args)}
        onEdit={() => sent.setDraft(draft ? undefined : { mode: 'form', value: block.arguments })}
        onDeny={() => void choose('deny')}
      />
    </div>
  );
}

type Arguments = ReturnType<typeof useArguments>;

/** What is to be sent: what the model wrote, or what a person is making of it. */
function useArguments(block: AskingCall) {
  const { toolCallId } = block;
  const draft = useArgumentsDrafts(({ drafts }) => drafts[toolCallId]);
  const schema = useToolSchema(block.serverId, block.toolName, draft !== undefined);
  const errors = draft ? draftErrors(draft, schema ?? undefined) : {};
  const args = draft ? draftArguments(draft) : block.arguments;
  return {
    draft,
    setDraft: (next?: ArgumentsDraft) => keepArguments(toolCallId, next),
    schema,
    errors,
    /** Undefined while they are not sound. */
    args: Object.keys(errors).length === 0 ? args : undefined,
  };
}

function SentArguments(props: { block: AskingCall; sent: Arguments; busy: boolean }) {
  const t = useTranslations('approval');
  const { block, busy } = props;
  const { draft, setDraft, schema, errors, args } = props.sent;
  return (
    <div className="mt-3 space-y-3">
      {draft !== undefined && schema !== null && (
        <Part>
          <ArgumentsEditor
            draft={schema === undefined ? inMode(draft, 'json') : draft}
            onChange={setDraft}
            original={block.arguments}
            {...{ schema, errors, disabled: busy }}
          />
        </Part>
      )}
      {args !== undefined && (
        // Of a draft too, and not with its fields, which come later: this is what is approved.
        <ExactArguments toolCallId={block.toolCallId} value={args} title={draft && t('willSend')} />
      )}
    </div>
  );
}

interface ChoicesProps {
  block: AskingCall;
  /** A person has changed the arguments: then no host of theirs is known. */
  isEdited: boolean;
  busy: boolean;
  /** The arguments are sound, and were seen. */
  isReady: boolean;
  /** Says why it is not ready. */
  noteId: string | undefined;
  onApprove: (scope: Scope) => void;
  onEdit: () => void;
  onDeny: () => void;
}

function Choices(props: ChoicesProps) {
  const { block, isEdited, busy, isReady, noteId, onApprove, onEdit, onDeny } = props;
  const t = useTranslations('approval');
  const [scope, setScope] = useState<Scope>('once');
  const host = isEdited ? undefined : block.approval?.host;
  const chosen = scope === 'host' && host === undefined ? 'once' : scope;
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <ScopeChoice
          value={chosen}
          onChange={setScope}
          {...{ host, disabled: busy, hasTopic: block.messageId !== undefined }}
        />
        <DecideButton
          shown={`${block.toolCallId} ${block.argsHash}`}
          variant="primary"
          data-testid="approve"
          disabled={busy || !isReady}
          aria-describedby={noteId}
          className="max-sm:flex-1"
          onDecide={() => onApprove(chosen)}
        >
          {isEdited ? t('approveEdited') : t('approve')}
        </DecideButton>
        <OtherChoices isEdited={isEdited} disabled={busy} onEdit={onEdit} onDeny={onDeny} />
      </div>
      <RememberedScope scope={chosen} />
    </>
  );
}

function OtherChoices(props: {
  isEdited: boolean;
  disabled: boolean;
  onEdit: () => void;
  onDeny: () => void;
}) {
  const t = useTranslations('approval');
  const { isEdited, disabled, onEdit, onDeny } = props;
  return (
    <>
      <Button
        disabled={disabled}
        data-testid="edit-arguments"
        className="max-sm:order-last max-sm:w-full"
        onClick={onEdit}
      >
        {isEdited ? t('keep') : t('edit')}
      </Button>
      <Button
        variant="danger"
        data-testid="deny"
        disabled={disabled}
        className="max-sm:flex-1 sm:ml-auto"
        onClick={onDeny}
      >
        {t('deny')}
      </Button>
    </>
  );
}

function Refused({ error }: { error: ErrorInfo }) {
  return (
    <div className="mt-3">
      <ErrorNote error={error} />
    </div>
  );
}

/** Sends a decision; what the host refuses is shown where it was made. */
function useChoice(block: AskingCall, card: { current: HTMLElement | null }) {
  const t = useTranslations('approval');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorInfo>();
  const choose = async (decision: Decision, edited?: AskingCall['arguments']) => {
    const goOn = focusAfter(card.current);
    setBusy(true);
    setError(undefined);
    try {
      const mine = await decide(block, decision, edited);
      keepArguments(block.toolCallId, undefined);
      if (!mine) showNotice(t('settled'));
      goOn();
    } catch (failure) {
      const info = toErrorInfo(failure);
      const { code } = info;
      const changed = code === 'arguments_changed';
      setError(changed ? { code, message: t('changed'), hint: t('changedHint') } : info);
      setBusy(false);
    }
  };
  return { busy, error, choose };
}

function Facts({ block, titleId }: { block: AskingCall; titleId: string }) {
  const t = useTranslations('approval');
  return (
    <>
      <p id={titleId} className="flex items-center gap-2 text-sm font-medium">
        <ShieldQuestion aria-hidden className="size-4 shrink-0 text-warn" />
        {t('title')}
      </p>
      <dl className="mt-1.5 space-y-0.5 pl-6 text-sm [&_dd]:min-w-0 [&_dd]:break-words [&_dt]:w-14 [&_dt]:shrink-0 [&_dt]:text-muted">
        <Fact name={t('what')}>
          <span className="font-medium">
            <VisibleText text={block.toolName} />
          </span>
        </Fact>
        <Fact name={t('where')}>
          <VisibleText text={block.serverName} />
          <span className="text-muted">
            {' · '}
            <ServerPlace serverId={block.serverId} />
          </span>
        </Fact>
        {block.approval && (
          <Fact name={t('why')} testId="why-asked">
            <ApprovalReason why={block.approval} />
          </Fact>
        )}
      </dl>
    </>
  );
}

function Fact(props: { name: string; testId?: string; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt>{props.name}</dt>
      <dd data-testid={props.testId}>{props.children}</dd>
    </div>
  );
}
