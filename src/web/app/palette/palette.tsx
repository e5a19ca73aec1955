import { Dialog } from '@base-ui/react/dialog';
import { Keyboard, Search, X } from 'lucide-react';
import { type ComponentProps, type ReactElement, type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoute } from 'wouter';
import { returnsFocus } from '../../state/chat/find-place.ts';
import { useInputs } from '../../state/inbox/inputs.ts';
import { showOverlay, useOverlay } from '../../state/page/overlay.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { OptionList, type OptionGroup, useActiveOption } from '../../ui/controls/option-list.tsx';
import { OptionSearch } from '../../ui/controls/option-search.tsx';
import type { PaletteEntry } from './entry.ts';
import { Keys } from './keys.tsx';
import { appendChats, rankEntries } from './rank.ts';
import { keepRecent, readRecent } from './recent-entries.ts';
import { takeTyped } from './typed-ahead.ts';
import { useEntries } from './use-entries.tsx';
import { useHits } from './use-hits.tsx';

/** A search over everything: chats, commands, models, servers and settings. Type, walk, choose. */
export function Palette(): ReactElement {
  const t = useTranslations('palette');
  return (
    <Dialog.Root open onOpenChange={(next) => next || showOverlay(null)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40 transition-opacity duration-100 data-[starting-style]:opacity-0" />
        <Dialog.Popup
          aria-label={t('title')}
          data-testid="palette"
          finalFocus={mayReturnFocus}
          className="fixed inset-x-2 top-2 z-50 flex max-h-[calc(100dvh-1rem)] flex-col overflow-hidden rounded-2xl border border-line bg-raised text-sm shadow-float outline-none sm:inset-x-auto sm:top-[12vh] sm:left-1/2 sm:max-h-[70vh] sm:w-[min(38rem,calc(100vw-2rem))] sm:-translate-x-1/2"
        >
          <Finder />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Whatever was chosen may have opened something that has the focus by now. */
function mayReturnFocus(): boolean {
  const isElsewhere = useOverlay.getState().overlay !== null || useInputs.getState().inboxOpen;
  return !isElsewhere && returnsFocus();
}

function Finder() {
  const t = useTranslations('palette');
  const [query, setQuery] = useState('');
  const { groups, find } = useSearch(query);
  const list = useId();
  const { active, setActive, move } = useActiveOption(groups);
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  const choose = (id: string) => runEntry(find(id));
  const write = (next: string) => {
    setQuery(next);
    // Whatever fits best is meant, not what was walked to before.
    setActive('');
  };
  return (
    <>
      <QueryRow value={query} onWrite={write} {...{ list, active, move, onChoose: choose }} />
      <span role="status" className="sr-only">
        {query !== '' && t('results', { count })}
      </span>
      <OptionList
        id={list}
        label={t('title')}
        {...{ groups, active }}
        onActive={setActive}
        onChoose={choose}
        className={`min-h-0 flex-1 ${count > 0 ? 'p-1.5' : ''}`}
      />
      {count === 0 && <p className="px-4 py-6 text-center text-muted">{t('nothing')}</p>}
      <Foot />
    </>
  );
}

function Foot() {
  const t = useTranslations('palette');
  return (
    <div className="flex items-center justify-between gap-2 border-t border-line px-4 py-1.5 text-xs text-muted">
      <span className="pointer-coarse:hidden">{t('hints')}</span>
      <HelpButton />
    </div>
  );
}

function runEntry(entry: PaletteEntry | undefined): void {
  if (!entry) return;
  keepRecent(entry.id);
  showOverlay(null);
  entry.run();
}

function QueryRow(props: Omit<ComponentProps<typeof OptionSearch>, 'label'>) {
  const t = useTranslations('palette');
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-4">
      <Search aria-hidden className="size-4 shrink-0 text-muted" />
      <OptionSearch
        data-testid="palette-query"
        label={t('title')}
        placeholder={t('placeholder')}
        enterKeyHint="go"
        maxLength={200}
        onFocus={() => {
          const typed = takeTyped();
          if (typed) props.onWrite(props.value + typed);
        }}
        {...props}
        className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
      />
      <CloseButton />
    </div>
  );
}

/** Where there is no Esc. */
function CloseButton() {
  const t = useTranslations('common');
  return (
    <Dialog.Close
      aria-label={t('close')}
      className="icon-button -mr-2.5 size-11 pointer-fine:hidden [&_svg]:size-4"
    >
      <X aria-hidden />
    </Dialog.Close>
  );
}

function HelpButton() {
  const t = useTranslations('shortcuts');
  return (
    <IconButton
      label={t('title')}
      size="small"
      className="ml-auto"
      data-testid="open-help"
      onClick={() => showOverlay('help')}
    >
      <Keyboard />
    </IconButton>
  );
}

/** What fits: first what the page knows, then what the host finds in other chats and in messages. */
function useSearch(query: string): {
  groups: OptionGroup[];
  find: (id: string) => PaletteEntry | undefined;
} {
  const t = useTranslations('palette');
  const [isTopic, topic] = useRoute('/t/:id');
  const [isHome] = useRoute('/');
  const entries = useEntries(isTopic ? topic.id : null, isTopic || isHome);
  const [recent] = useState(readRecent);
  const { chats, messages } = useHits(query.trim());
  const ranked = appendChats(rankEntries(entries, { query, recent }), chats);
  const groups: OptionGroup[] = ranked.map(({ group, entries: own }) => ({
    heading: t(`groups.${group}`),
    options: own.map((entry) => ({ id: entry.id, label: <Row {...entry} /> })),
  }));
  if (messages.length > 0)
    groups.push({
      heading: t('groups.found'),
      options: messages.map((hit) => ({ id: hit.id, label: <Row {...hit} /> })),
    });
  return {
    groups,
    find: (id) => [...entries, ...chats, ...messages].find((entry) => entry.id === id),
  };
}

function Row({ icon, label, detail, shortcut }: PaletteEntry) {
  return (
    <>
      <Quiet>{icon}</Quiet>
      <span className={`min-w-0 truncate ${detail ? 'max-w-[55%] shrink-0' : 'flex-1'}`}>
        {label}
      </span>
      {detail && <span className="min-w-0 flex-1 truncate text-xs text-muted">{detail}</span>}
      {shortcut && (
        <span aria-hidden className="ml-auto pointer-coarse:hidden">
          <Keys id={shortcut} />
        </span>
      )}
    </>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden className="flex text-muted">
      {children}
    </span>
  );
}
