const prefix = 'cerise.draft.';

/** The unsent text of a topic, or of the new conversation. */
export function readDraft(topicId: string | null): string {
  return localStorage.getItem(prefix + (topicId ?? 'new')) ?? '';
}

/** Keeps the unsent text; an empty one is forgotten. */
export function writeDraft(topicId: string | null, text: string): void {
  const key = prefix + (topicId ?? 'new');
  if (text === '') localStorage.removeItem(key);
  else localStorage.setItem(key, text);
}
