import { create } from 'zustand';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import { useTopics } from '../chat/topics.ts';
import { logFault } from '../page/log-fault.ts';
import { readPart } from '../page/parts.ts';
import { shareMuted } from './muted.ts';
import { areNotificationsOn, followPermission } from './permission.ts';
import { followLists, seeEnd, shareProgress, useProgress } from './progress.ts';
import type * as Notifier from './notify.ts';
import type { News } from './should-notify.ts';
import { followSight, readSight, useSight } from './sight.ts';

type Waiting = Extract<HostEvent, { type: 'tool-call-waiting' | 'input-requested' }>;

/** Topics whose end this tab tells in its title although it shows another, until the person comes back. */
const useTold = create<{ told: readonly string[] }>(() => ({ told: [] }));

/** What this tab has heard of already: the host says it again with each connection. */
const known = new Set<string>();
/** From when on what is heard is news: before, it is what a page begins with. */
let isSettled = false;

/** Notices what ends and what is seen, in this tab and for it, until the returned function is called. */
export function followAttention(): () => void {
  const see = () => {
    const { topicId, visible } = useSight.getState();
    if (!visible) return;
    if (useTold.getState().told.length > 0) useTold.setState({ told: [] });
    seeEnd(topicId);
  };
  const stops = [
    followSight(),
    followPermission(),
    shareProgress(),
    shareMuted(),
    useSight.subscribe(see),
    useProgress.subscribe(see),
    useTopics.subscribe(({ topics, pinned, loaded }, before) => {
      if (!loaded || (topics === before.topics && pinned === before.pinned)) return;
      for (const { topicId, answerId, tookMs } of followLists([...topics, ...pinned], Date.now()))
        heardEnd({ kind: 'answer', id: answerId ?? topicId, topicId, tookMs });
    }),
  ];
  see();
  return () => {
    for (const stop of stops) stop();
    isSettled = false;
    known.clear();
    useTold.setState({ told: [] });
  };
}

/** Everything that a page begins with has been read. */
export function settleAttention(): void {
  isSettled = true;
}

/** A call or a question waits, perhaps for the first time. */
export function heardWaiting(event: Waiting): void {
  const { topicId, serverId } = event;
  const id = event.type === 'tool-call-waiting' ? event.toolCallId : event.inputId;
  if (known.has(id)) return;
  known.add(id);
  notify(
    event.type === 'tool-call-waiting'
      ? { kind: 'approval', id, topicId, serverId, tool: event.toolName }
      : { kind: 'question', id, topicId, serverId },
  );
}

/** It no longer waits. */
export function heardSettled(id: string): void {
  known.delete(id);
  notifier?.then(({ withdraw }) => withdraw(id)).catch(logFault);
}

/** Whether this tab tells that an answer ended: that of its own topic, or of one that no tab shows. */
export function useTellsEnd(): boolean {
  const topicId = useSight((state) => state.topicId);
  const ended = useProgress((state) => state.ended);
  const told = useTold((state) => state.told);
  return [topicId, ...told].some((id) => id in ended);
}

function heardEnd(news: Extract<News, { kind: 'answer' }>): void {
  void tellInTitle(news.topicId).catch(logFault);
  notify(news);
}

async function tellInTitle(topicId: string): Promise<void> {
  if (useSight.getState().visible) return;
  const { openTopics, seen } = await readSight();
  if (openTopics.includes(topicId) || seen.includes(topicId)) return;
  if (useSight.getState().visible || !(topicId in useProgress.getState().ended)) return;
  useTold.setState(({ told }) => ({ told: [...told, topicId] }));
}

let notifier: Promise<typeof Notifier> | undefined;

function notify(news: News): void {
  if (!areNotificationsOn()) return;
  const isNews = isSettled;
  notifier ??= readPart(() => import('./notify.ts'));
  notifier.then(({ tell }) => tell(news, isNews)).catch(logFault);
}
