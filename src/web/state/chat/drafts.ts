import { create } from 'zustand';
import type { Quote } from '#shared/api/api.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import { isUnsure, keepForPerson } from '../session/person.ts';
import {
  type DraftResource,
  type Draft,
  type DraftAttachment,
  type DraftFile,
  parseDraft,
  revive,
} from './stored-draft.ts';

const prefix = 'cerise.draft.';
const empty: Draft = { text: '', attachments: [] };

/** The unsent messages by topic; kept in this browser until they are sent. */
const useDrafts = create<{ drafts: Record<string, Draft> }>(() => ({ drafts: readAll() }));

keepForPerson(localStorage, {
  hide: () => useDrafts.setState({ drafts: {} }),
  show: () => {
    const { drafts } = useDrafts.getState();
    useDrafts.setState({ drafts: readAll() });
    for (const [key, draft] of Object.entries(drafts)) if (!isEmpty(draft)) keep(key, draft);
  },
  forget: () => {
    for (const key of storedKeys()) localStorage.removeItem(key);
  },
});

/** The unsent message of a topic, or of the new conversation. */
export function useDraft(topicId: string | null): Draft {
  return useDrafts(({ drafts }) => drafts[keyOf(topicId)] ?? empty);
}

/** The same, once. */
export function readDraft(topicId: string | null): Draft {
  return useDrafts.getState().drafts[keyOf(topicId)] ?? empty;
}

/** Changes the unsent message of a topic; an empty one is forgotten. */
export function writeDraft(topicId: string | null, patch: Partial<Draft>): void {
  keep(keyOf(topicId), { ...readDraft(topicId), ...patch });
}

/** Puts words of somebody else at the end of the unsent message. */
export function quoteInDraft(topicId: string | null, words: string, quote: Quote): void {
  const { text, quotes } = readDraft(topicId);
  const before = text.trim() === '' ? '' : `${text.trimEnd()}\n\n`;
  writeDraft(topicId, { text: before + words, quotes: withQuotes(quotes, [quote]) });
}

/** Each source once. */
function withQuotes(before: Quote[] = [], added: Quote[] = []): Quote[] {
  const all = [...before, ...added].map((quote) => [JSON.stringify(quote), quote] as const);
  return [...new Map(all).values()];
}

/** Changes one attachment wherever it is by now; nothing happens if it was taken away. */
export function changeAttachment(key: string, patch: Partial<DraftFile | DraftResource>): void {
  for (const [place, draft] of Object.entries(useDrafts.getState().drafts)) {
    if (!draft.attachments.some((one) => one.key === key)) continue;
    const attachments = draft.attachments.map((one) =>
      one.key === key ? ({ ...one, ...patch } as DraftAttachment) : one,
    );
    keep(place, { ...draft, attachments });
  }
}

/** Hands what was written meanwhile for a new conversation on to the one that was made. */
export function moveDraft(from: string | null, to: string): void {
  const draft = readDraft(from);
  if (isEmpty(draft)) return;
  keep(keyOf(to), draft);
  keep(keyOf(from), empty);
}

/** Takes what is sent out of the unsent message; what was added to it meanwhile stays. */
export function takeFromDraft(topicId: string | null, sent: Draft): void {
  const { text, attachments } = readDraft(topicId);
  const keys = new Set(sent.attachments.map(({ key }) => key));
  writeDraft(topicId, {
    text: text.startsWith(sent.text) ? text.slice(sent.text.length).trimStart() : text,
    attachments: attachments.filter(({ key }) => !keys.has(key)),
  });
}

/** Puts words back before whatever was written since, so that neither is lost. */
export function giveBack(topicId: string | null, draft: Draft): void {
  const since = readDraft(topicId);
  writeDraft(topicId, {
    text: [draft.text, since.text].filter((text) => text !== '').join('\n\n'),
    attachments: [...draft.attachments, ...since.attachments],
    quotes: withQuotes(draft.quotes, since.quotes),
  });
}

/**
 * Follows what other tabs write; call once. Where the reader is writing, nothing is changed: what
 * the focused tab says is kept.
 */
export function followDrafts(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (!key?.startsWith(prefix) || document.hasFocus() || isUnsure(localStorage)) return;
    const draft = newValue === null ? empty : parseDraft(newValue);
    useDrafts.setState(({ drafts }) => ({
      drafts: { ...drafts, [key.slice(prefix.length)]: draft },
    }));
  });
}

function isEmpty({ text, attachments }: Draft): boolean {
  return text === '' && attachments.length === 0;
}

function keyOf(topicId: string | null): string {
  return topicId ?? 'new';
}

function keep(key: string, written: Draft): void {
  const draft = isEmpty(written) ? empty : written;
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: draft } }));
  // What is stored there may be another person's.
  if (isUnsure(localStorage)) return;
  try {
    if (isEmpty(draft)) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, JSON.stringify(draft));
  } catch (error) {
    console.warn('The draft cannot be kept in this browser.', toErrorInfo(error));
  }
}

function readAll(): Record<string, Draft> {
  if (isUnsure(localStorage)) return {};
  return Object.fromEntries(
    storedKeys().map((key) => {
      const draft = parseDraft(localStorage.getItem(key) ?? '');
      return [key.slice(prefix.length), { ...draft, attachments: draft.attachments.map(revive) }];
    }),
  );
}

function storedKeys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
}
