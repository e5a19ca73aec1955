import type { ModelCapabilities, ModelPrice } from '#shared/vocabulary/model.ts';

/** A model as its vendor lists it, with what the vendor says that it can do. */
export interface ListedModel {
  id: string;
  name?: string;
  told: Partial<ModelCapabilities>;
  /** What it costs by its vendor's list, and when that was read. */
  price?: ModelPrice;
  pricedAt?: number;
}
