/** Something that a person may want to hear of although they look elsewhere. */
export type News =
  | { kind: 'approval'; id: string; topicId?: string | undefined; serverId: string; tool: string }
  | { kind: 'question'; id: string; topicId?: string | undefined; serverId: string }
  | { kind: 'answer'; id: string; topicId: string; tookMs: number };

/** What the tabs of this browser show. The topic of a page without one is empty. */
export interface Situation {
  /** What this tab shows. */
  topicId: string;
  /** What any tab shows, in sight or not. */
  openTopics: readonly string[];
  /** What tabs show that are in sight. */
  seen: readonly string[];
  /** Topics that are switched off. */
  muted: readonly string[];
}

/** Whoever waits so long has turned to something else. */
export const longAnswerMs = 20_000;

/**
 * Whether this tab shows a notification: `silent` where nobody should, `other-tab` where that is for the
 * tab which the topic is open in, so that a click leads there.
 */
export function shouldNotify(news: News, situation: Situation): 'notify' | 'silent' | 'other-tab' {
  const { topicId, openTopics, seen, muted } = situation;
  if (news.kind === 'answer' && news.tookMs < longAnswerMs) return 'silent';
  if (news.topicId === undefined) return seen.length > 0 ? 'silent' : 'notify';
  if (muted.includes(news.topicId) || seen.includes(news.topicId)) return 'silent';
  return topicId !== news.topicId && openTopics.includes(news.topicId) ? 'other-tab' : 'notify';
}
