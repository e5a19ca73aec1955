/** Whether a version of Node is one of `engines.node`. */
export function isNodeIn(range: string, version: string): boolean;
/** The one line for a machine on which no suitable Node can be had. */
export function oldNodeMessage(range: string, version: string): string;
