import { createCatalogs } from '#models/catalog.ts';
import { createDemoModel } from '#models/demo/model.ts';
import { createLocalServers, usualPlaces } from '#models/local-servers.ts';
import { toErrorInfo } from '#shared/errors.ts';
import type { SecretBox } from '#shared/ports.ts';
import type { Store } from '#store/store.ts';
import type { HostOptions } from './host.ts';
import { Providers } from './providers.ts';
import { createToolCheckMemory } from './tool-check-memory.ts';
import { localOwner, type Users } from './users.ts';

/** The vendors of models, and the models. */
export function createModels(
  store: Store,
  box: SecretBox,
  users: Users,
  options: HostOptions & { now: () => number },
) {
  const { discover = false, environment = {}, logger, now } = options;
  const places = discover === true ? usualPlaces : discover || [];
  const local = createLocalServers(places, now);
  const providers = new Providers({ store, box, users, now, environment, local });
  const models = createCatalogs({
    providers: (owner, name) => providers.withKeys(owner, name),
    demo: createDemoModel({ pace: options.demoPace }),
    plugged: options.models,
    toolChecks: createToolCheckMemory(store, localOwner),
    report: (error) => logger.warn(toErrorInfo(error), 'A tool check could not be kept'),
    now,
  });
  return { providers, models };
}
