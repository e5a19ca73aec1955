import type { Topic } from '#shared/message.ts';

/** The spans of time a topic list is divided into. */
export type Age = 'today' | 'yesterday' | 'week' | 'older';

/** Divides topics, newest first, by how long ago they changed, counted in days of the reader. */
export function groupTopics(topics: Topic[], now = new Date()): { age: Age; topics: Topic[] }[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const day = 86_400_000;
  const groups: { age: Age; topics: Topic[] }[] = [];
  for (const topic of topics) {
    const before = midnight - topic.updatedAt;
    const age =
      before <= 0 ? 'today' : before <= day ? 'yesterday' : before <= 7 * day ? 'week' : 'older';
    const last = groups.at(-1);
    if (last?.age === age) last.topics.push(topic);
    else groups.push({ age, topics: [topic] });
  }
  return groups;
}
