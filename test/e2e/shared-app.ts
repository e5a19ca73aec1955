import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import { App } from './app.ts';

/** What people add to a host, and what it had at its beginning. */
const lists = ['servers', 'providers', 'assistants'] as const;
type Lists = Record<(typeof lists)[number], string[]>;

interface Shared {
  app: App;
  beginning: { ids: Lists; settings: object; policy: Partial<PolicyDocument> };
}

/** The programs that files of this worker use one after the other, by the pace of their model. */
const running = new Map<number, Promise<Shared>>();

/** A program as it is after its first start; the files before may have used it. */
export async function sharedApp(pace = 1): Promise<App> {
  const before = running.get(pace);
  if (before) return putBack(await before);
  const shared = start(pace);
  running.set(pace, shared);
  return (await shared).app;
}

async function start(pace: number): Promise<Shared> {
  const app = await App.start({ pace });
  app.share();
  const { rules, trustedServers, safeToRepeat } = await app.api<PolicyDocument>('/policy');
  const policy = { rules, trustedServers, safeToRepeat };
  return {
    app,
    beginning: { ids: await idsOf(app), settings: await app.api('/settings'), policy },
  };
}

/** Takes away everything that was made since. */
async function putBack({ app, beginning }: Shared): Promise<App> {
  await app.api('/data/topics', { method: 'DELETE' });
  await app.api('/tool-calls', { method: 'DELETE' });
  const ids = await idsOf(app);
  for (const list of lists)
    for (const id of ids[list].filter((each) => !beginning.ids[list].includes(each)))
      await app.api(`/${list}/${id}`, { method: 'DELETE' });
  await app.api('/settings', { method: 'PUT', body: beginning.settings });
  await app.api('/policy', { method: 'PUT', body: beginning.policy });
  const workspace = join(app.home, 'workspace');
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace);
  return app;
}

async function idsOf(app: App): Promise<Lists> {
  const read = async (list: keyof Lists) => {
    const answer = await app.api<Record<string, { id: string }[]>>(`/${list}`);
    return (answer[list] ?? []).map(({ id }) => id);
  };
  const [servers, providers, assistants] = await Promise.all(lists.map(read));
  return { servers: servers ?? [], providers: providers ?? [], assistants: assistants ?? [] };
}
