import { ShieldQuestion } from 'lucide-react';
import { type ReactElement, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import { showNotice } from '../../state/notices.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ApprovalArguments } from './approval-arguments.tsx';
import { ServerPlace, WhyAsked } from './approval-facts.tsx';
import { type ArgumentsDraft, draftArguments, draftErrors, inMode } from './arguments-draft.ts';
import { keepArguments, useArgumentsDrafts } from './arguments-drafts.ts';
import { askingMark, focusAfter, usePoliteFocus } from './asking.ts';
import { type AskingCall, decide, type Decision } from './decide.ts';
import { ScopeChoice, type Scope } from './scope-choice.tsx';
import { useToolSchema } from './use-tool-schema.ts';
import { lazyPart, Part } from '../../ui/part.tsx';

const ArgumentsEditor = lazyPart(
  async () => (await import('./arguments-editor.tsx')).ArgumentsEditor,
);

/** Asks whether a call may run: what, where, with exactly which arguments, and why it is asked. */
export function ApprovalCard({ block }: { block: AskingCall }): ReactElement {
  const t = useTranslations('approval');
  const titleId = useId();
  const card = useRef<HTMLDivElement>(null);
  const draft = useArgumentsDrafts(({ drafts }) => drafts[block.toolCallId]);
  const setDraft = (next?: ArgumentsDraft) => keepArguments(block.toolCallId, next);
  const [scope, setScope] = useState<Scope>('once');
  const schema = useToolSchema(block.serverId, block.toolName, draft !== undefined);
  const { busy, error, choose } = useChoice(block, card);
  usePoliteFocus(card);
  const errors = draft ? draftErrors(draft, schema ?? undefined) : {};
  const args = draft ? draftArguments(draft) : block.arguments;
  const host = draft === undefined ? block.approval?.host : undefined;
  const chosen = scope === 'host' && host === undefined ? 'once' : scope;
  const blocked = busy || args === undefined || Object.keys(errors).length > 0;
  return (
    <div
      ref={card}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid="approval"
      {...askingMark}
      className="border-t border-line bg-warn-soft/60 px-3.5 py-3 -outline-offset-2"
    >
      <Facts block={block} titleId={titleId} />
      <div className="mt-3">
        {draft === undefined || schema === null ? (
          <ApprovalArguments value={block.arguments} />
        ) : (
          <Part>
            <ArgumentsEditor
              draft={schema === undefined ? inMode(draft, 'json') : draft}
              onChange={setDraft}
              original={block.arguments}
              {...{ schema, errors, disabled: busy }}
            />
          </Part>
        )}
      </div>
      {error && <Refused error={error} />}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <ScopeChoice
          value={chosen}
          onChange={setScope}
          {...{ host, disabled: busy, hasTopic: block.messageId !== undefined }}
        />
        <Button
          variant="primary"
          data-testid="approve"
          disabled={blocked}
          className="max-sm:flex-1"
          onClick={() => void choose(chosen, draft && args)}
        >
          {draft === undefined ? t('approve') : t('approveEdited')}
        </Button>
        <Button
          disabled={busy}
          data-testid="edit-arguments"
          className="max-sm:order-last max-sm:w-full"
          onClick={() =>
            setDraft(draft === undefined ? { mode: 'form', value: block.arguments } : undefined)
          }
        >
          {draft === undefined ? t('edit') : t('keep')}
        </Button>
        <Button
          variant="danger"
          data-testid="deny"
          disabled={busy}
          className="max-sm:flex-1 sm:ml-auto"
          onClick={() => void choose('deny')}
        >
          {t('deny')}
        </Button>
      </div>
      <Remembered scope={chosen} />
    </div>
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
        <div className="flex gap-2">
          <dt>{t('what')}</dt>
          <dd className="font-medium">
            <VisibleText text={block.toolName} />
          </dd>
        </div>
        <div className="flex gap-2">
          <dt>{t('where')}</dt>
          <dd>
            <VisibleText text={block.serverName} />
            <span className="text-muted">
              {' · '}
              <ServerPlace serverId={block.serverId} />
            </span>
          </dd>
        </div>
        {block.approval && (
          <div className="flex gap-2">
            <dt>{t('why')}</dt>
            <dd data-testid="why-asked">
              <WhyAsked why={block.approval} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** What a choice means for later, and where it can be taken back. */
function Remembered({ scope }: { scope: Scope }) {
  const t = useTranslations('approval');
  return (
    <p aria-live="polite" className="text-xs text-muted">
      {scope !== 'once' && (
        <span className="mt-2 block">
          {t(`meaning.${scope}`)}{' '}
          <Link href="/settings/approvals" className="text-accent-text underline">
            {t('manage')}
          </Link>
        </span>
      )}
    </p>
  );
}
