import type { ServerView } from '#shared/api.ts';
import type { PromptView, ResourceView, TemplateView } from '#shared/server-api.ts';
import type { ServerList } from '../../state/server-lists.ts';
import { type OwnCommand, ownCommands } from '../commands.ts';

/** Something that can be chosen in the list above the composer. */
export type Suggestion = { id: string; server?: ServerView } & (
  | { kind: 'command'; command: OwnCommand }
  | { kind: 'prompt'; server: ServerView; prompt: PromptView }
  | { kind: 'resource'; server: ServerView; resource: ResourceView }
  | { kind: 'template'; server: ServerView; template: TemplateView }
);

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
): Suggestion[] {
  const own = ownCommands
    .filter((name) => !isNew || (name !== 'new' && name !== 'compact'))
    .filter((name) => name.startsWith(query.toLowerCase()) || (name === 'new' && isClear(query)))
    .map((command): Suggestion => ({ id: command, kind: 'command', command }));
  const prompts = servers.flatMap((server) =>
    (lists[server.id]?.prompts ?? [])
      .filter(({ name, title }) => fits(query, [name, title, server.name]))
      .slice(0, mostOfOne)
      .map((prompt): Suggestion => ({
        id: `${server.id}-prompt-${prompt.name}`,
        kind: 'prompt',
        server,
        prompt,
      })),
  );
  return [...own, ...prompts];
}

/** The resources and templates of each server that fit. */
export function findResources(
  query: string,
  servers: ServerView[],
  lists: Record<string, ServerList>,
): Suggestion[] {
  return servers.flatMap((server) => {
    const { resources = [], templates = [] } = lists[server.id] ?? {};
    const whole = resources
      .filter(({ name, title, uri }) => fits(query, [name, title, uri, server.name]))
      .slice(0, mostOfOne)
      .map((resource): Suggestion => ({
        id: `${server.id}-resource-${resource.uri}`,
        kind: 'resource',
        server,
        resource,
      }));
    const patterns = templates
      .filter(({ name, title, uriTemplate }) =>
        fits(query, [name, title, uriTemplate, server.name]),
      )
      .slice(0, mostOfOne)
      .map((template): Suggestion => ({
        id: `${server.id}-template-${template.uriTemplate}`,
        kind: 'template',
        server,
        template,
      }));
    return [...patterns, ...whole];
  });
}

/** Whether all letters of the query stand together in one of the texts. */
function fits(query: string, texts: (string | undefined)[]): boolean {
  const wanted = query.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

function isClear(query: string): boolean {
  return query !== '' && 'clear'.startsWith(query.toLowerCase());
}
