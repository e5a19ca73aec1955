const followers = new Map<string, Set<() => void>>();

/** Calls back when a server has written into its log, until the returned function is called. */
export function followLog(serverId: string, onNews: () => void): () => void {
  const present = followers.get(serverId) ?? new Set();
  followers.set(serverId, present.add(onNews));
  return () => {
    present.delete(onNews);
    if (present.size === 0 && followers.get(serverId) === present) followers.delete(serverId);
  };
}

/** A server has written into its log. */
export function tellOfLog(serverId: string): void {
  for (const onNews of followers.get(serverId) ?? []) onNews();
}
