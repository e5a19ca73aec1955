import {
  type KeyboardEvent,
  type ReactElement,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import {
  type ListKind,
  loadServerLists,
  useServerLists,
} from '../../../state/catalog/server-lists.ts';
import { reachableServers, selectedServers } from '../../../state/catalog/servers-in-use.ts';
import { useChatSettings } from '../../../state/chat/use-chat-settings.ts';
import { OptionList, optionId, useActiveOption } from '../../../ui/controls/option-list.tsx';
import { ArgumentForm } from './argument-form.tsx';
import type { Trigger } from './find-trigger.ts';
import { SuggestionRow } from './suggestion-row.tsx';
import { findCommands, findResources, type Suggestion } from './suggestions.ts';
import { useChoose } from './use-choose.ts';

/** How the box hands its keys on. */
export interface SuggestHandle {
  /** Says whether the list took the key. */
  onKey: (event: KeyboardEvent) => boolean;
}

interface SuggestMenuProps {
  ref: Ref<SuggestHandle>;
  topicId: string | null;
  trigger: Trigger | undefined;
  area: RefObject<HTMLTextAreaElement | null>;
  /** The element that the keys are at, for the box's `aria-activedescendant`. */
  onActive: (id: string | undefined) => void;
  onDismiss: () => void;
  onSend: (text: string) => void;
}

const listId = 'composer-suggestions';

/** The list that a `/` or an `@` opens above the box, and the form that some entries need. */
export function SuggestMenu(props: SuggestMenuProps): ReactElement | null {
  const { topicId, trigger, area, onSend } = props;
  const [asking, setAsking] = useState<Suggestion>();
  const choose = useChoose({ topicId, area, onSend, onAsk: setAsking });
  if (asking) {
    return (
      <Panel>
        <ArgumentForm
          suggestion={asking}
          topicId={topicId}
          onClose={() => {
            setAsking(undefined);
            area.current?.focus();
          }}
        />
      </Panel>
    );
  }
  if (!trigger) return null;
  return <Suggestions {...props} trigger={trigger} onChoose={(one) => choose(one, trigger)} />;
}

interface SuggestionsProps extends SuggestMenuProps {
  trigger: Trigger;
  onChoose: (suggestion: Suggestion) => void;
}

function Suggestions(props: SuggestionsProps) {
  const { ref, topicId, trigger, onActive, onDismiss, onChoose } = props;
  const t = useTranslations('composer');
  const offer = useOffer(trigger, topicId);
  const { kind, found, groups } = offer;
  const { active, setActive, move } = useActiveOption(groups);
  const chooseActive = (id: string | undefined) => {
    const one = found.find((each) => each.id === id);
    if (one) onChoose(one);
    return one !== undefined;
  };
  useImperativeHandle(ref, () => ({
    onKey: (event) => {
      if (found.length > 0 && move(event)) return true;
      const isChoice = (event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab';
      if (event.key === 'Escape') onDismiss();
      else if (!isChoice || !chooseActive(active)) return false;
      event.preventDefault();
      return true;
    },
  }));
  useActiveReport(active, onActive);
  const isIdle = found.length === 0 && offer.waiting.length === 0 && trigger.query !== '';
  // A message that only looks like a command is written on in peace.
  if (isIdle && kind === 'prompts') return null;
  return (
    <Panel>
      <OptionList
        id={listId}
        label={kind === 'prompts' ? t('commands') : t('resources')}
        {...{ groups, active }}
        onActive={setActive}
        onChoose={chooseActive}
        className="max-h-[min(20rem,45dvh)] min-h-0"
      />
      <Status offer={offer} />
    </Panel>
  );
}

type Offer = ReturnType<typeof useOffer>;

/** What fits the word at the caret, and which servers have not said yet what they have, or cannot. */
function useOffer(trigger: Trigger, topicId: string | null) {
  const t = useTranslations('composer');
  const kind = trigger.kind === 'command' ? 'prompts' : 'resources';
  const servers = useServersInUse(topicId);
  const lists = useServerLists((state) => state[kind]);
  useLists(kind, servers);
  const { suggestions: found, leftOut } =
    kind === 'prompts'
      ? findCommands(trigger.query, servers, lists, topicId === null)
      : findResources(trigger.query, servers, lists);
  const byServer = Map.groupBy(found, ({ server }) => server?.name ?? t('commands'));
  const groups = [...byServer].map(([heading, own]) => ({
    heading,
    options: own.map((one) => ({ id: one.id, label: <SuggestionRow suggestion={one} /> })),
  }));
  const waiting = servers.filter(({ id }) => (lists[id]?.state ?? 'loading') === 'loading');
  const failed = servers.filter(({ id }) => lists[id]?.state === 'failed');
  return { kind, found, leftOut, groups, waiting, failed };
}

/** Tells the box which element the keys are at, while there is one. */
function useActiveReport(active: string | undefined, onActive: SuggestMenuProps['onActive']): void {
  useEffect(() => {
    onActive(active === undefined ? undefined : optionId(listId, active));
    return () => onActive(undefined);
  }, [active, onActive]);
}

function Status({ offer: { found, leftOut, waiting, failed } }: { offer: Offer }) {
  const t = useTranslations('composer');
  const names = failed.map(({ name }) => name).join(', ');
  return (
    <p role="status" className="shrink-0 px-2.5 py-1.5 text-xs text-muted empty:hidden">
      {found.length === 0 && waiting.length === 0 && t('noResources')}
      {leftOut > 0 && `${t('moreSuggestions', { count: leftOut })} `}
      {waiting.length > 0 && t('askingServers', { count: waiting.length })}
      {failed.length > 0 && ` ${t('silentServers', { names })}`}
    </p>
  );
}

/** Stands above the box, in the room that a short window and a long message leave there. */
function Panel({ children }: { children: React.ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = panel.current?.offsetParent;
    if (!box) return undefined;
    const fit = () =>
      panel.current?.style.setProperty('max-height', `${box.getBoundingClientRect().top - 16}px`);
    const watch = new ResizeObserver(fit);
    watch.observe(box);
    watch.observe(document.documentElement);
    fit();
    return () => watch.disconnect();
  }, []);
  return (
    <div
      ref={panel}
      data-testid="suggestions"
      className="absolute inset-x-0 bottom-full z-20 mb-2 flex flex-col rounded-xl border border-line bg-raised p-1.5 text-sm shadow-float"
    >
      {children}
    </div>
  );
}

function useServersInUse(topicId: string | null): ServerView[] {
  const all = useCatalog((state) => state.servers);
  const { mcp, assistant } = useChatSettings(topicId);
  const servers = reachableServers(all, { topicId, assistantId: assistant?.id });
  return selectedServers(servers, mcp).filter(({ state }) => state !== 'needs-auth');
}

/** Asks the servers when the list opens; which ones is what counts, not the states they pass through. */
function useLists(kind: ListKind, servers: ServerView[]): void {
  const ids = servers.map(({ id }) => id).join(' ');
  useEffect(() => {
    const wanted = new Set(ids.split(' '));
    const now = useCatalog.getState().servers.filter(({ id }) => wanted.has(id));
    return loadServerLists(kind, now);
  }, [kind, ids]);
}
