import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { useTopics } from '../../state/chat/topics.ts';
import { showInbox, useInputs } from '../../state/inbox/inputs.ts';
import { api } from '../../state/session/api.ts';
import { Modal } from '../../ui/dialog/modal.tsx';
import { useLoaded } from '../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { InputCard } from '../inputs/input-card.tsx';
import { ApprovalCard } from '../tools/approval/approval-card.tsx';
import type { AskingCall } from '../tools/approval/decide.ts';
import { previewArguments } from '../tools/arguments/preview-arguments.ts';
import { NotifyOffer } from './notify-offer.tsx';
import { useCanOffer } from './use-notify-offer.ts';

/** Everything that waits for the person, in one list. */
export function Inbox(): ReactElement {
  const t = useTranslations('inputs');
  const inputs = useInputs((state) => state.inputs);
  const calls = useInputs((state) => state.calls);
  const waiting = useTopics((state) => state.waiting);
  const canOffer = useCanOffer();
  const known = new Set(inputs.map(({ id }) => id));
  const inTopics = Object.entries(waiting).filter(([id]) => !known.has(id));
  const empty = inputs.length + calls.length + inTopics.length === 0;
  return (
    <Modal isToRead open onClose={() => showInbox(false)} title={t('inbox')}>
      <ul className="space-y-3" data-testid="inbox">
        {inputs.map((input) => (
          <li key={input.id} className="overflow-hidden rounded-xl border border-line">
            {input.topicId !== undefined && <TopicLink topicId={input.topicId} />}
            <InputCard input={input} />
          </li>
        ))}
        {calls.map((id) => (
          <li key={id} className="overflow-hidden rounded-xl border border-line">
            <DirectCall id={id} />
          </li>
        ))}
        {inTopics.map(([id, topicId]) => (
          <li key={id} className="overflow-hidden rounded-xl border border-line">
            <TopicLink topicId={topicId}>
              <CallSummary id={id} />
            </TopicLink>
          </li>
        ))}
      </ul>
      {empty && <p className="text-sm text-muted">{t('nothing')}</p>}
      {canOffer && !empty && <NotifyOffer text="offerWaiting" className="mt-4 -mr-1 -ml-3" />}
    </Modal>
  );
}

/** `children` say what waits there. */
function TopicLink({ topicId, children }: { topicId: string; children?: ReactNode }) {
  const t = useTranslations('inputs');
  const title = useTopics((state) => state.topics.find(({ id }) => id === topicId)?.title);
  return (
    <Link
      href={`/t/${topicId}`}
      onClick={() => showInbox(false)}
      className="block px-3.5 py-2.5 text-sm hover:bg-hover"
    >
      <span className="block truncate text-accent-text">
        {t('inChat', { title: title ?? '…' })}
      </span>
      {children}
    </Link>
  );
}

/** What a call in a conversation would do; it is decided on there, where one sees why it is made. */
function CallSummary({ id }: { id: string }) {
  const t = useTranslations('tool');
  const { value } = useLoaded((signal) => api.toolCalls.read(id, signal), id);
  if (!value) return null;
  const { toolName, serverName } = value;
  const preview = previewArguments({ arguments: toAsking(value).arguments, content: '' });
  return (
    <>
      <span className="mt-1 block break-words">
        <VisibleText text={toolName} />{' '}
        <span className="text-xs text-muted">{t('on', { server: serverName })}</span>
      </span>
      <span className="block truncate font-mono text-xs text-muted">
        <VisibleText text={preview} />
      </span>
    </>
  );
}

/** A call that somebody made without a conversation. */
function DirectCall({ id }: { id: string }) {
  const { value, error } = useLoaded((signal) => api.toolCalls.read(id, signal), id);
  if (error) return <ErrorNote error={error} />;
  return value ? <ApprovalCard block={toAsking(value)} /> : null;
}

function toAsking(call: ToolCallView): AskingCall {
  const { id, serverId, serverName, toolName, argsHash, rule, reason } = call;
  return {
    toolCallId: id,
    serverId,
    serverName,
    toolName,
    argsHash,
    arguments: isJsonObject(call.arguments) ? call.arguments : {},
    ...(rule !== undefined && { approval: { rule, ...(reason && { reason }) } }),
  };
}
