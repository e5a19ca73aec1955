import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { ModelAdapter, ModelParameters } from '#shared/vocabulary/model.ts';
import type { Settings } from './settings.ts';

/** The models and the effort that people chose once for all their conversations. */
export class ModelChoices {
  readonly #settings: Pick<Settings, 'defaultModel' | 'own'>;
  readonly #models: Pick<ModelCatalogs, 'of'>;

  constructor(deps: {
    settings: Pick<Settings, 'defaultModel' | 'own'>;
    models: Pick<ModelCatalogs, 'of'>;
  }) {
    this.#settings = deps.settings;
    this.#models = deps.models;
  }

  /** Answers where neither conversation nor assistant names a model. */
  defaultModel(owner: string): Promise<string> {
    return this.#settings.defaultModel(owner);
  }

  /** The one that translates; absent: the conversation's own. */
  async translationModel(owner: string): Promise<string | undefined> {
    const { translationModel } = await this.#settings.own(owner);
    return (await this.#find(owner, translationModel)) && translationModel;
  }

  /** What names a conversation after its first answer: the chosen one, else the one that answered. */
  async titleModel(owner: string, answered: string): Promise<ModelAdapter> {
    const { titleModel } = await this.#settings.own(owner);
    const chosen = await this.#find(owner, titleModel);
    return chosen ?? this.#models.of(owner).resolve(answered);
  }

  /** What holds where neither conversation nor assistant says: the effort, for models that think. */
  async parametersFor(owner: string, model: string): Promise<ModelParameters> {
    const { reasoningEffort } = await this.#settings.own(owner);
    if (reasoningEffort === undefined) return {};
    const { capabilities } = await this.#models.of(owner).resolve(model);
    return capabilities?.reasoning ? { reasoningEffort } : {};
  }

  /** A model that is no longer there is as good as none. */
  async #find(owner: string, name: string | undefined): Promise<ModelAdapter | undefined> {
    if (name === undefined) return undefined;
    try {
      return await this.#models.of(owner).resolve(name);
    } catch (error) {
      if (error instanceof CeriseError && error.code === 'model_not_found') return undefined;
      throw error;
    }
  }
}
