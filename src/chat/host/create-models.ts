import { createCatalogs } from '#models/catalog/catalog.ts';
import { createLocalServers, type LocalPlace, usualPlaces } from '#models/catalog/local-servers.ts';
import { createDemoModel } from '#models/demo/model.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { Logger, SecretBox } from '#shared/vocabulary/ports.ts';
import type { Store } from '#store/database/store.ts';
import { ModelChoices } from '../models/model-choices.ts';
import { Providers } from '../models/providers.ts';
import type { Settings } from '../models/settings.ts';
import { createToolCheckMemory } from '../models/tool-check-memory.ts';
import { localOwner, type Users } from '../people/users.ts';

/** The vendors of models, the models, and which of them are chosen for what. */
export function createModels(deps: {
  store: Store;
  box: SecretBox;
  users: Users;
  settings: Settings;
  models?: Record<string, ModelAdapter>;
  environment?: Record<string, string | undefined>;
  discover?: boolean | LocalPlace[];
  demoPace?: number | undefined;
  limits: Limits;
  logger: Logger;
  now: () => number;
}) {
  const { store, box, users, discover = false, environment = {}, limits, logger, now } = deps;
  const places = discover === true ? usualPlaces : discover || [];
  const local = createLocalServers(places, now);
  const providers = new Providers({ store, box, users, limits, now, environment, local });
  const models = createCatalogs({
    providers: (owner, name) => providers.withKeys(owner, name),
    demo: createDemoModel({ pace: deps.demoPace }),
    plugged: deps.models,
    limits,
    toolChecks: createToolCheckMemory(store, localOwner),
    report: (error) => logger.warn(toErrorInfo(error), 'Could not save a tool check'),
    now,
  });
  const choices = new ModelChoices({ settings: deps.settings, models });
  return { providers, models, choices };
}
