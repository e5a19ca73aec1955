import { createTranslator } from 'use-intl/core';
import { navigate } from 'wouter/use-browser-location';
import { plainLine } from '#shared/text/plain-line.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../catalog/catalog.ts';
import { useTopics } from '../chat/topics.ts';
import { showInbox } from '../inbox/inputs.ts';
import { useLanguage } from '../page/language.ts';
import { api } from '../session/api.ts';
import { keepForPerson } from '../session/person.ts';
import { useMuted } from './muted.ts';
import { type News, shouldNotify } from './should-notify.ts';
import { readSight, useSight } from './sight.ts';

const ledgerKey = 'cerise.told';
const mostKept = 200;
const nameChars = 60;
const titleChars = 80;

/** What this tab shows, by what it is about. */
const shown = new Map<string, Notification>();

keepForPerson(localStorage, {
  hide: () => shown.forEach((one) => one.close()),
  show: () => undefined,
  forget: () => localStorage.removeItem(ledgerKey),
});

// Whoever sees the conversation has seen what the notification is about.
useSight.subscribe(({ topicId, visible }) => {
  if (visible) for (const one of shown.values()) if (one.data === topicId) one.close();
});

/** Shows a notification if one is due; of all tabs exactly one does. What is no news is only noted. */
export async function tell(news: News, isNews: boolean): Promise<void> {
  const { topicId } = useSight.getState();
  const verdict = shouldNotify(news, {
    topicId,
    ...(await readSight()),
    muted: useMuted.getState().muted,
  });
  if (verdict === 'other-tab' || !(await claim(news.id))) return;
  if (verdict === 'silent' || !isNews) return;
  const words = await wordsOf(news);
  if (words) show(news, words);
}

/** What it is about needs nobody any more. */
export function withdraw(id: string): void {
  shown.get(id)?.close();
}

/** Whether no tab has dealt with it before, this one included. */
function claim(id: string): Promise<boolean> {
  return navigator.locks.request(ledgerKey, () => {
    const before = readLedger();
    if (before.includes(id)) return false;
    localStorage.setItem(ledgerKey, JSON.stringify([id, ...before].slice(0, mostKept)));
    return true;
  });
}

function readLedger(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(ledgerKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch (error) {
    console.warn('The list of past notifications is unreadable and is left out.', error);
    return [];
  }
}

function show(news: News, { title, body }: { title: string; body: string }): void {
  const one = new Notification(title, { body, tag: news.id, data: news.topicId });
  shown.set(news.id, one);
  one.addEventListener('close', () => shown.delete(news.id));
  one.addEventListener('click', () => {
    window.focus();
    if (news.topicId === undefined) showInbox(true);
    else navigate(`/t/${news.topicId}`);
    one.close();
  });
}

/** Its words; none for an answer that the person stopped. Names of others stand inside of ours, cut short. */
async function wordsOf(news: News): Promise<{ title: string; body: string } | undefined> {
  const language = useLanguage.getState();
  if (!language) return undefined;
  const t = createTranslator({ ...language, namespace: 'notifications' });
  const title = titleOf(news.topicId);
  const chat = title === '' ? '' : t('inChat', { title });
  if (news.kind === 'answer') {
    const status = await statusOf(news);
    if (status === 'stopped') return undefined;
    return { title: t(status === 'error' ? 'failed' : 'finished'), body: chat };
  }
  const { servers } = useCatalog.getState();
  const name = servers.find(({ id }) => id === news.serverId)?.name ?? news.serverId;
  const server = plainLine(name, nameChars);
  const body =
    news.kind === 'question'
      ? t('asks', { server })
      : t('wantsToRun', { server, tool: plainLine(news.tool, nameChars) });
  return { title: t(news.kind), body: chat === '' ? body : `${body}\n${chat}` };
}

function titleOf(topicId: string | undefined): string {
  const { topics, pinned } = useTopics.getState();
  const topic = [...topics, ...pinned].find(({ id }) => id === topicId);
  return plainLine(topic?.title ?? '', titleChars);
}

/** How the answer ended, as far as the host says. */
async function statusOf(news: Extract<News, { kind: 'answer' }>): Promise<Message['status']> {
  try {
    const signal = AbortSignal.timeout(10_000);
    const { messages } = await api.topics.conversation(news.topicId, signal);
    return messages.find(({ id }) => id === news.id)?.status ?? 'success';
  } catch (error) {
    console.warn('How the answer ended cannot be read.', error);
    return 'success';
  }
}
