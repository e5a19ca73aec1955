import { createCatalogs, type ModelCatalogs } from '#models/catalog/catalog.ts';
import { createLocalServers, type LocalPlace, usualPlaces } from '#models/catalog/local-servers.ts';
import { createDemoModel } from '#models/demo/model.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { ModelChoices } from '../models/model-choices.ts';
import { Providers } from '../models/providers.ts';
import type { Settings } from '../models/settings.ts';
import { createToolCheckMemory } from '../models/tool-check-memory.ts';
import { localOwner, type Users } from '../people/users.ts';
import type { Base } from './base.ts';

/** The vendors of models, the models, and which of them are chosen for what. */
export function createModels(
  { store, limits, logger, now }: Base,
  deps: {
    box: SecretBox;
    users: Users;
    settings: Settings;
    /** Where models come from besides what people add. */
    vendors: {
      plugged: Record<string, ModelAdapter> | undefined;
      environment: Record<string, string | undefined> | undefined;
      discover: boolean | LocalPlace[] | undefined;
      demoPace: number | undefined;
    };
  },
) {
  const { box, users, settings } = deps;
  const { plugged, environment = {}, discover = false, demoPace } = deps.vendors;
  const places = discover === true ? usualPlaces : discover || [];
  const local = createLocalServers(places, now);
  const providers = new Providers({
    store,
    box,
    users,
    limits,
    now,
    environment,
    local,
    refreshModels: (provider) => models.refresh(provider),
  });
  const models: ModelCatalogs = createCatalogs({
    providers: (owner, slug) => providers.withKeys(owner, slug),
    demo: createDemoModel({ pace: demoPace }),
    plugged,
    limits,
    toolChecks: createToolCheckMemory(store, localOwner),
    report: (error) => logger.warn(toErrorInfo(error), 'Could not save a tool check'),
    now,
  });
  const choices = new ModelChoices({ settings, models });
  return { providers, models, choices };
}

export type ModelParts = ReturnType<typeof createModels>;
