import { ChevronRight } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { InstallRequestView } from '#shared/api/registry-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { useTopics } from '../../state/chat/topics.ts';
import { showInbox, useInputs } from '../../state/inbox/inputs.ts';
import { isNews, useRequests } from '../../state/inbox/requests.ts';
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
  const { inputs, calls, inTopics } = useWaiting();
  const canOffer = useCanOffer();
  const requests = useRequests((state) => state.requests).filter(isNews);
  const empty = inputs.length + calls.length + inTopics.length + requests.length === 0;
  return (
    <Modal isToRead open onClose={() => showInbox(false)} title={t('inbox')}>
      <ul className="space-y-3" data-testid="inbox">
        {inputs.map((input) => (
          <Entry key={input.id}>
            {input.topicId !== undefined && <TopicLink topicId={input.topicId} />}
            <InputCard input={input} />
          </Entry>
        ))}
        {calls.map((id) => (
          <Entry key={id}>
            <DirectCall id={id} />
          </Entry>
        ))}
        {inTopics.map(([id, topicId]) => (
          <Entry key={id}>
            <TopicLink topicId={topicId}>
              <CallSummary id={id} />
            </TopicLink>
          </Entry>
        ))}
        {requests.map((request) => (
          <Entry key={request.id}>
            <RequestLink request={request} />
          </Entry>
        ))}
      </ul>
      {empty && <p className="text-sm text-muted">{t('nothing')}</p>}
      {canOffer && !empty && <NotifyOffer text="offerWaiting" className="mt-4 -mr-1 -ml-3" />}
    </Modal>
  );
}

/** Questions of servers, calls outside of conversations, and what else waits in conversations. */
function useWaiting() {
  const inputs = useInputs((state) => state.inputs);
  const calls = useInputs((state) => state.calls);
  const waiting = useTopics((state) => state.waiting);
  const known = new Set(inputs.map(({ id }) => id));
  const inTopics = Object.entries(waiting).filter(([id]) => !known.has(id));
  return { inputs, calls, inTopics };
}

function Entry({ children }: { children: ReactNode }) {
  return <li className="overflow-hidden rounded-xl border border-line">{children}</li>;
}

/** A request to install a server; it is decided on beside the servers. */
function RequestLink({ request: { user, title, status } }: { request: InstallRequestView }) {
  const t = useTranslations('requests');
  return (
    <Link
      href="/servers"
      onClick={() => showInbox(false)}
      className="block px-3.5 py-2.5 text-sm break-words hover:bg-hover"
      data-testid="inbox-request"
    >
      <VisibleText
        text={user === undefined ? t(`own.${status}`, { title }) : t('asked', { user, title })}
      />
    </Link>
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
      <span className="flex items-center justify-between gap-3">
        <span className="truncate text-accent-text">{t('inChat', { title: title ?? '…' })}</span>
        {children && (
          <span className="flex shrink-0 items-center gap-0.5 font-medium">
            {t('review')}
            <ChevronRight aria-hidden className="size-4" />
          </span>
        )}
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
