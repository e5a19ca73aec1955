/** A server that a key may use: all of it, or only these of its tools. */
export interface ServerLimit {
  id: string;
  tools?: string[] | undefined;
}

/** What a key is limited to; absent: everything its owner may use. */
export type Within = readonly ServerLimit[] | undefined;

/** Whether anything of a server may be used. */
export function allowsServer(within: Within, serverId: string): boolean {
  return within === undefined || within.some(({ id }) => id === serverId);
}

/** Whether all of a server may be used: its prompts and resources are no tools. */
export function allowsWhole(within: Within, serverId: string): boolean {
  return within === undefined || within.some(({ id, tools }) => id === serverId && !tools);
}

export function allowsTool(within: Within, serverId: string, toolName: string): boolean {
  if (within === undefined) return true;
  return within.some(({ id, tools }) => id === serverId && (!tools || tools.includes(toolName)));
}
