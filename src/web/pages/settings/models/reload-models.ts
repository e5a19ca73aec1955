import { loadModels, loadProviders } from '../../../state/catalog/catalog.ts';

/** Reads the providers and their models again. */
export async function reloadModels(): Promise<void> {
  await Promise.all([loadProviders(), loadModels()]);
}
