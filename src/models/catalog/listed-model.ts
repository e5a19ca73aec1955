import type { ModelCapabilities } from '#shared/vocabulary/model.ts';

/** A model as its vendor lists it, with what the vendor says that it can do. */
export interface ListedModel {
  id: string;
  name?: string;
  told: Partial<ModelCapabilities>;
}
