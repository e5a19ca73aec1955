import type { Topic } from '#shared/vocabulary/message.ts';

/** Pinned topics, or a span of time in a topic list. What is older than a week goes by the month it changed in. */
export interface TopicGroup {
  age: 'pinned' | 'today' | 'yesterday' | 'week' | 'month';
  /** The first moment of the month. */
  month?: number;
  topics: Topic[];
}

const dayMs = 86_400_000;

/** Divides topics, newest first, by how long ago they changed, counted in days of the reader. */
export function groupTopics(topics: Topic[], now = new Date()): TopicGroup[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const groups: TopicGroup[] = [];
  for (const topic of topics) {
    const span = spanOf(topic.updatedAt, midnight);
    const last = groups.at(-1);
    if (last?.age === span.age && last.month === span.month) last.topics.push(topic);
    else groups.push({ ...span, topics: [topic] });
  }
  return groups;
}

function spanOf(time: number, midnight: number): Omit<TopicGroup, 'topics'> {
  const before = midnight - time;
  if (before <= 0) return { age: 'today' };
  if (before <= dayMs) return { age: 'yesterday' };
  if (before <= 7 * dayMs) return { age: 'week' };
  const date = new Date(time);
  return { age: 'month', month: new Date(date.getFullYear(), date.getMonth(), 1).getTime() };
}
