import { create } from 'zustand';
import type { InputView } from '#shared/api/input-api.ts';
import { Rereading } from '#shared/async/rereading.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { logFault } from '../page/log-fault.ts';
import { api } from '../session/api.ts';
import { keepForPerson } from '../session/person.ts';
import { dropForms, readForms, storeForm } from './form-drafts.ts';

interface InputsState {
  /** Questions of servers that wait for an answer, the oldest first. */
  inputs: InputView[];
  /** Ids of calls that wait for a decision outside of any topic. */
  calls: string[];
  /** What was filled in so far, by the id of its question. */
  drafts: Record<string, JsonObject>;
  inboxOpen: boolean;
}

/** What waits for the person, wherever it is shown. */
export const useInputs = create<InputsState>(() => ({
  inputs: [],
  calls: [],
  drafts: readForms(),
  inboxOpen: false,
}));

const { setState: set, getState: get } = useInputs;
/** What was closed: a list that was on its way then still holds it. */
const closed = new Set<string>();
const reading = new Rereading(async () => {
  const { inputs } = await api.inputs.list();
  set({ inputs: inputs.filter(({ id }) => !closed.has(id)) });
  dropForms({ except: new Set(inputs.map(({ id }) => id)) });
});

keepForPerson(sessionStorage, {
  hide: () => set({ drafts: {} }),
  show: () => set({ drafts: { ...readForms(), ...get().drafts } }),
  forget: () => dropForms({ except: new Set() }),
});

/** Reads the open questions. */
export function loadInputs(): Promise<void> {
  return reading.load();
}

/** A question is no longer open. */
export function dropInput(id: string): void {
  closed.add(id);
  const { [id]: _, ...drafts } = get().drafts;
  dropForms({ id });
  set({ inputs: get().inputs.filter((input) => input.id !== id), drafts });
}

/** A question is open, perhaps again. */
export function openInput(id: string): void {
  closed.delete(id);
  loadInputs().catch(logFault);
}

/** Keeps what was filled in, also while the page is loaded anew; secrets only as long as it is open. */
export function keepDraft(form: Extract<InputView, { kind: 'form' }>, draft: JsonObject): void {
  set({ drafts: { ...get().drafts, [form.id]: draft } });
  storeForm(form, draft);
}

/** A call outside of any topic waits for a decision, or no longer does. */
export function markCall(id: string, waits: boolean): void {
  const others = get().calls.filter((call) => call !== id);
  set({ calls: waits ? [...others, id] : others });
}

/** What was known of waiting calls; the stream says it again when it opens. */
export function forgetCalls(): void {
  set({ calls: [] });
}

/** Opens or closes the list of everything that waits. */
export function showInbox(open: boolean): void {
  set({ inboxOpen: open });
}
