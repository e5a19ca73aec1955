import { CeriseError } from '#shared/errors/errors.ts';
import { type Vendor } from '../vendors/vendor.ts';
import { vendorOf } from '../vendors/vendors.ts';
import { isConversational } from '../wires/capabilities.ts';
import type { ListedModel } from './listed-model.ts';
import { fetchJson, type ListSource } from './model-list-fetch.ts';
import { listLmStudio, listOllama } from './model-list-local.ts';
import { readAnthropic, readGoogle, readOpenAi } from './model-list-readers.ts';

const listMs = 5_000;
const maxPages = 20;
const maxListed = 1_000;

/**
 * The models of a vendor that one can talk with, as it orders them. Throws CeriseError after 5 s at
 * most. A vendor that is known to have no list answers with the models that are known of it.
 */
export async function listVendorModels(
  provider: Omit<ListSource, 'signal'>,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const vendor = vendorOf(provider);
  const source = {
    ...provider,
    signal: AbortSignal.any([signal, AbortSignal.timeout(listMs)]),
  };
  try {
    const listed = await list(vendor, source);
    const usable = listed.filter(({ id }) => id.length <= 300 && isConversational(id));
    return [...new Map(usable.map((model) => [model.id, model])).values()].slice(0, maxListed);
  } catch (error) {
    if (vendor.models && hasNoList(error)) return vendor.models.map((id) => ({ id, told: {} }));
    throw error;
  }
}

async function list(vendor: Vendor, source: ListSource): Promise<ListedModel[]> {
  switch (vendor.list) {
    case 'anthropic':
      return listAnthropic(source);
    case 'google':
      return listGoogle(source);
    case 'ollama':
      return listOllama(source);
    case 'lm-studio':
      return listLmStudio(source);
    case 'openai':
      return readOpenAi(await fetchJson(source, `/models${query(vendor.listQuery)}`));
  }
}

async function listAnthropic(source: ListSource): Promise<ListedModel[]> {
  const headers = { 'anthropic-version': '2023-06-01' };
  return readPages(async (after) => {
    const next = after === undefined ? '' : `&after_id=${encodeURIComponent(after)}`;
    return readAnthropic(await fetchJson(source, `/models?limit=1000${next}`, { headers }));
  });
}

async function listGoogle(source: ListSource): Promise<ListedModel[]> {
  return readPages(async (token) => {
    const next = token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`;
    return readGoogle(await fetchJson(source, `/models?pageSize=1000${next}`));
  });
}

/** Follows cursors to the end; a cursor that comes twice is the end. */
async function readPages(
  read: (cursor?: string) => Promise<{ models: ListedModel[]; next?: string }>,
): Promise<ListedModel[]> {
  const models: ListedModel[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { models: more, next } = await read(cursor);
    models.push(...more);
    if (next === undefined || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  return models;
}

function query(text: string | undefined): string {
  return text === undefined ? '' : `?${text}`;
}

function hasNoList(error: unknown): boolean {
  if (!(error instanceof CeriseError)) return false;
  const { status } = (error.details ?? {}) as { status?: number };
  return status === 404 || status === 405;
}
