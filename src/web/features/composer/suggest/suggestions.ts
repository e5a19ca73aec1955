import type { ServerView } from '#shared/api/api.ts';
import type { PromptView, ResourceView, TemplateView } from '#shared/api/server-api.ts';
import type { ServerList } from '../../../state/catalog/server-lists.ts';
import { type OwnCommand, ownCommands } from '../commands/commands.ts';

/** Something that can be chosen in the list above the composer. */
export type Suggestion = { id: string; server?: ServerView } & (
  | { kind: 'command'; command: OwnCommand }
  | { kind: 'prompt'; server: ServerView; prompt: PromptView }
  | { kind: 'resource'; server: ServerView; resource: ResourceView }
  | { kind: 'template'; server: ServerView; template: TemplateView }
);

/** What fits, the best of each server first, and how many more of it there are. */
export interface SuggestionList {
  suggestions: Suggestion[];
  leftOut: number;
}

/** At most this many of a server are shown; to find others, more has to be written. */
const mostOfOne = 50;

/**
 * The commands that fit: our own, then the prompts of each server. A new conversation has nothing to
 * leave or to sum up.
 */
export function findCommands(
  query: string,
  servers: ServerView[],
  lists: Record<string, ServerList>,
  isNew: boolean,
): SuggestionList {
  const own = ownCommands
    .filter((name) => !isNew || (name !== 'new' && name !== 'compact'))
    .filter((name) => name.startsWith(query.toLowerCase()) || (name === 'new' && isClear(query)))
    .map((command): Suggestion => ({ id: command, kind: 'command', command }));
  const prompts = servers.map((server) =>
    best(
      query,
      (lists[server.id]?.prompts ?? []).map((prompt) => ({
        suggestion: { id: `${server.id}-prompt-${prompt.name}`, kind: 'prompt', server, prompt },
        names: [prompt.name, prompt.title],
        others: [server.name],
      })),
    ),
  );
  return together([{ suggestions: own, leftOut: 0 }, ...prompts]);
}

/** The resources and templates of each server that fit. */
export function findResources(
  query: string,
  servers: ServerView[],
  lists: Record<string, ServerList>,
): SuggestionList {
  const suggestions = servers.flatMap((server) => {
    const { resources = [], templates = [] } = lists[server.id] ?? {};
    const patterns = templates.map((template): Candidate => {
      const { name, title, uriTemplate } = template;
      return {
        suggestion: {
          id: `${server.id}-template-${uriTemplate}`,
          kind: 'template',
          server,
          template,
        },
        names: [name, title],
        others: [uriTemplate, server.name],
      };
    });
    const whole = resources.map((resource): Candidate => {
      const { name, title, uri } = resource;
      return {
        suggestion: { id: `${server.id}-resource-${uri}`, kind: 'resource', server, resource },
        names: [name, title],
        others: [uri, server.name],
      };
    });
    return [best(query, patterns), best(query, whole)];
  });
  return together(suggestions);
}

interface Candidate {
  suggestion: Suggestion;
  names: (string | undefined)[];
  others: string[];
}

/** Those that fit, each once: whose name begins so, whose name has it, then all others. */
function best(query: string, candidates: Candidate[]): SuggestionList {
  const wanted = query.toLowerCase();
  const ranks = Map.groupBy(candidates, ({ names, others }) => {
    const own = names.flatMap((name) => name?.toLowerCase() ?? []);
    if (own.some((name) => name.startsWith(wanted))) return 0;
    if (own.some((name) => name.includes(wanted))) return 1;
    return others.some((text) => text.toLowerCase().includes(wanted)) ? 2 : 3;
  });
  const ordered = ([0, 1, 2] as const).flatMap((rank) => ranks.get(rank) ?? []);
  const single = new Map(ordered.map(({ suggestion }) => [suggestion.id, suggestion]));
  const shown = [...single.values()].slice(0, mostOfOne);
  return { suggestions: shown, leftOut: single.size - shown.length };
}

function together(parts: SuggestionList[]): SuggestionList {
  return {
    suggestions: parts.flatMap(({ suggestions }) => suggestions),
    leftOut: parts.reduce((sum, { leftOut }) => sum + leftOut, 0),
  };
}

function isClear(query: string): boolean {
  return query !== '' && 'clear'.startsWith(query.toLowerCase());
}
