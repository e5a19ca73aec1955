import { create } from 'zustand';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { isUnsure, keepForPerson } from '../session/person.ts';

/** Arguments that a person is changing: in a form, or as the JSON they have typed. */
export type ArgumentsDraft = { mode: 'form'; value: JsonObject } | { mode: 'json'; text: string };

type Drafts = Readonly<Record<string, ArgumentsDraft>>;

const storageKey = 'cerise.arguments';

/** Arguments that are being changed in this tab, by the ids of their calls; they outlive a reload. */
export const useArgumentsDrafts = create<{ drafts: Drafts }>(() => ({ drafts: readDrafts() }));

useArgumentsDrafts.subscribe(({ drafts }) => {
  if (isUnsure(sessionStorage)) return;
  try {
    if (Object.keys(drafts).length === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(drafts));
  } catch (error) {
    console.warn('The changed arguments cannot be kept in this browser.', toErrorInfo(error));
  }
});

keepForPerson(sessionStorage, {
  hide: () => useArgumentsDrafts.setState({ drafts: {} }),
  show: () =>
    useArgumentsDrafts.setState(({ drafts }) => ({ drafts: { ...readDrafts(), ...drafts } })),
  forget: () => sessionStorage.removeItem(storageKey),
});

/** Keeps what the arguments of a call are changed to; undefined: they are no longer being changed. */
export function keepArguments(toolCallId: string, draft: ArgumentsDraft | undefined): void {
  useArgumentsDrafts.setState(({ drafts }) => {
    const { [toolCallId]: _, ...others } = drafts;
    return { drafts: draft ? { ...others, [toolCallId]: draft } : others };
  });
}

function readDrafts(): Drafts {
  if (isUnsure(sessionStorage)) return {};
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Drafts;
  } catch (error) {
    console.warn('The changed arguments are unreadable and are left out.', error);
    return {};
  }
}
