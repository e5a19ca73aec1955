import type { ReactElement } from 'react';
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
import { InputCard } from '../inputs/input-card.tsx';
import { ApprovalCard } from '../tools/approval/approval-card.tsx';
import type { AskingCall } from '../tools/approval/decide.ts';

/** Everything that waits for the person, in one list. */
export function Inbox(): ReactElement {
  const t = useTranslations('inputs');
  const inputs = useInputs((state) => state.inputs);
  const calls = useInputs((state) => state.calls);
  const waiting = useTopics((state) => state.waiting);
  const known = new Set(inputs.map(({ id }) => id));
  const topicIds = new Set(
    Object.entries(waiting).flatMap(([id, topicId]) => (known.has(id) ? [] : [topicId])),
  );
  const empty = inputs.length + calls.length + topicIds.size === 0;
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
        {[...topicIds].map((topicId) => (
          <li key={topicId} className="rounded-xl border border-line">
            <TopicLink topicId={topicId} />
          </li>
        ))}
      </ul>
      {empty && <p className="text-sm text-muted">{t('nothing')}</p>}
    </Modal>
  );
}

function TopicLink({ topicId }: { topicId: string }) {
  const t = useTranslations('inputs');
  const title = useTopics((state) => state.topics.find(({ id }) => id === topicId)?.title);
  return (
    <Link
      href={`/t/${topicId}`}
      onClick={() => showInbox(false)}
      className="block truncate px-3.5 py-2.5 text-sm text-accent-text hover:bg-hover"
    >
      {t('inChat', { title: title ?? '…' })}
    </Link>
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
