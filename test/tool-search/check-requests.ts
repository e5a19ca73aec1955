import type { Tool } from '#shared/vocabulary/tool.ts';
import type { ToolIndex } from '#tools/search/tool-index.ts';

/** A request with the place its tool has among the results; -1 if it is not among the first twenty. */
export interface Checked {
  request: string;
  wanted: string;
  place: number;
  found: string[];
}

/** Searches for every request of a list and says where the right tool was. */
export function checkRequests(index: ToolIndex<Tool>, list: string): Checked[] {
  return list
    .trim()
    .split('\n')
    .map((line) => {
      const [request = '', wanted = ''] = line.split('|').map((cell) => cell.trim());
      const found = index.search(request, 20).map(({ tool }) => labelOf(tool));
      return { request, wanted, place: found.indexOf(wanted), found: found.slice(0, 5) };
    });
}

/** How a list names a tool. */
export function labelOf({ serverName, toolName }: Tool): string {
  return `${serverName}/${toolName}`;
}
