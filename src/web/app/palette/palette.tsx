import { Dialog } from '@base-ui/react/dialog';
import { Keyboard, Search, TextSearch, X } from 'lucide-react';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation, useRoute } from 'wouter';
import type { SearchHit } from '#shared/api/api.ts';
import { returnsFocus } from '../../state/chat/find-place.ts';
import { useInputs } from '../../state/inbox/inputs.ts';
import { showOverlay, useOverlay } from '../../state/page/overlay.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import {
  OptionList,
  type OptionGroup,
  optionId,
  useActiveOption,
} from '../../ui/controls/option-list.tsx';
import { isEcho, useSearch } from '../sidebar/search-results.tsx';
import type { PaletteEntry } from './entry.ts';
import { Keys } from './keys.tsx';
import { rankEntries } from './rank.ts';
import { keepRecent, readRecent } from './recent-entries.ts';
import { useEntries } from './use-entries.tsx';

const mostHits = 8;

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
  const common = useTranslations('common');
  const [query, setQuery] = useState('');
  const { groups, find } = useFound(query);
  const list = useId();
  const { active, setActive, move } = useActiveOption(groups);
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  const choose = (id: string) => {
    const entry = find(id);
    if (!entry) return;
    keepRecent(id);
    showOverlay(null);
    entry.run();
  };
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          type="text"
          role="combobox"
          data-testid="palette-query"
          aria-label={t('title')}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={list}
          aria-activedescendant={active === undefined ? undefined : optionId(list, active)}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={200}
          placeholder={t('placeholder')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            // Whatever fits best is meant, not what was walked to before.
            setActive('');
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || move(event)) return;
            if (event.key !== 'Enter' || active === undefined) return;
            event.preventDefault();
            choose(active);
          }}
          className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
        />
        {/* Where there is no Esc. */}
        <Dialog.Close
          aria-label={common('close')}
          className="icon-button -mr-2.5 size-11 pointer-fine:hidden [&_svg]:size-4"
        >
          <X aria-hidden />
        </Dialog.Close>
      </div>
      <span role="status" className="sr-only">
        {query !== '' && t('results', { count })}
      </span>
      <OptionList
        id={list}
        label={t('title')}
        groups={groups}
        active={active}
        onActive={setActive}
        onChoose={choose}
        className={`min-h-0 flex-1 ${count > 0 ? 'p-1.5' : ''}`}
      />
      {count === 0 && <p className="px-4 py-6 text-center text-muted">{t('nothing')}</p>}
      <div className="flex items-center justify-between gap-2 border-t border-line px-4 py-1.5 text-xs text-muted">
        <span className="pointer-coarse:hidden">{t('hints')}</span>
        <HelpButton />
      </div>
    </>
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

/** What fits: first what the page knows, then what the host finds in messages. */
function useFound(query: string): {
  groups: OptionGroup[];
  find: (id: string) => PaletteEntry | undefined;
} {
  const t = useTranslations('palette');
  const [isTopic, topic] = useRoute('/t/:id');
  const [isHome] = useRoute('/');
  const entries = useEntries(isTopic ? topic.id : null, isTopic || isHome);
  const [recent] = useState(readRecent);
  const ranked = rankEntries(entries, { query, recent });
  const hits = useHits(query.trim());
  const groups: OptionGroup[] = ranked.map(({ group, entries: own }) => ({
    heading: t(`groups.${group}`),
    options: own.map((entry) => ({ id: entry.id, label: <Row {...entry} /> })),
  }));
  if (hits.length > 0)
    groups.push({
      heading: t('groups.found'),
      options: hits.map((hit) => ({ id: hit.id, label: <Row {...hit} /> })),
    });
  return { groups, find: (id) => [...entries, ...hits].find((entry) => entry.id === id) };
}

function useHits(query: string): PaletteEntry[] {
  const t = useTranslations('sidebar');
  const [, navigate] = useLocation();
  const hits: SearchHit[] = useSearch(query) ?? [];
  return hits
    .filter((hit) => !isEcho(hit))
    .slice(0, mostHits)
    .map(({ topicId, topicTitle, blockId, messageId, snippet }) => ({
      id: `found ${topicId} ${blockId ?? ''}`,
      label: topicTitle || t('untitled'),
      detail: snippet,
      group: 'chats',
      icon: <TextSearch />,
      run: () => navigate(`/t/${topicId}${messageId ? `#${messageId}` : ''}`),
    }));
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
