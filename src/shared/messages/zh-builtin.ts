/** Sentences of the host in Simplified Chinese, by their ids: what built-in servers and their tools say. */
export const zhBuiltin: Record<string, string> = {};
