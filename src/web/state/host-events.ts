import type { HostEvent } from '#shared/vocabulary/event.ts';
import { openLink } from '../stream/tabs/link.ts';
import {
  followAttention,
  heardSettled,
  heardWaiting,
  settleAttention,
} from './attention/attention.ts';
import {
  dropServer,
  loadAssistants,
  loadModels,
  loadServers,
  showServerState,
} from './catalog/catalog.ts';
import { tellOfLog } from './catalog/log-news.ts';
import { clearWaiting, dropTopic, keepTopic, loadTopics, markWaiting } from './chat/topics.ts';
import { keepArguments } from './inbox/arguments-drafts.ts';
import { dropInput, forgetCalls, loadInputs, markCall, openInput } from './inbox/inputs.ts';
import { loadRequests } from './inbox/requests.ts';
import { useLine } from './page/line.ts';
import { logFault } from './page/log-fault.ts';
import { loadMe } from './session/me.ts';
import { confirmSignIn, signOut } from './session/session.ts';

/** Follows the host: lists are read at each connection, then kept current by its events. */
export function followHost(): () => void {
  const stopAttention = followAttention();
  const close = openLink({
    onOpen: () => {
      useLine.setState({ live: true });
      confirmSignIn();
      clearWaiting();
      forgetCalls();
      // The host's events have no history, so whatever was missed is read anew.
      Promise.all([
        loadMe(),
        loadInputs(),
        loadRequests(),
        loadTopics(),
        loadServers(),
        loadModels(),
        loadAssistants(),
      ])
        .then(settleAttention)
        .catch(logFault);
    },
    onDown: () => useLine.setState({ live: false }),
    onEvent: applyHostEvent,
    onSignedOut: signOut,
  });
  return () => {
    close();
    stopAttention();
  };
}

function applyHostEvent(event: HostEvent): void {
  switch (event.type) {
    case 'topic-changed':
      return keepTopic(event.topic);
    case 'topic-deleted':
      return dropTopic(event.topicId);
    case 'server-changed':
      return showServerState(event);
    case 'server-removed':
      return dropServer(event.serverId);
    case 'server-logged':
      return tellOfLog(event.serverId);
    case 'install-requests-changed':
      loadRequests().catch(logFault);
      // What was approved is a new server.
      return void loadServers().catch(logFault);
    case 'tool-call-waiting':
      heardWaiting(event);
      if (event.topicId === undefined) return markCall(event.toolCallId, true);
      return markWaiting(event.toolCallId, event.topicId);
    case 'tool-call-decided':
      heardSettled(event.toolCallId);
      markCall(event.toolCallId, false);
      // Whatever another tab has decided needs no other arguments here.
      keepArguments(event.toolCallId, undefined);
      return markWaiting(event.toolCallId, null);
    case 'input-requested':
      heardWaiting(event);
      openInput(event.inputId);
      return event.topicId === undefined ? undefined : markWaiting(event.inputId, event.topicId);
    case 'input-answered':
      heardSettled(event.inputId);
      dropInput(event.inputId);
      return markWaiting(event.inputId, null);
  }
}
