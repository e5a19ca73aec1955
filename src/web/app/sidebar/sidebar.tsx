import { Search, Server, Settings, SquarePen, X } from 'lucide-react';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useLocation } from 'wouter';
import { InboxBell } from '../../features/inbox/inbox-bell.tsx';
import { lazyPart, Part } from '../../features/loading/part.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Logo } from '../../ui/layout/logo.tsx';
import { focusFirst, moveFocus } from './move-focus.ts';
import { PaletteHint } from './palette-button.tsx';
import { FilterButton, FilterChips } from './topic-filter.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import { TopicList } from './topic-list.tsx';
import { UserMenu } from './user-menu.tsx';

const SearchResults = lazyPart(async () => (await import('./search-results.tsx')).SearchResults);

interface SidebarProps {
  /** Called when the reader goes somewhere: a drawer closes then. */
  onLeave: () => void;
  /** What stands at the end of its first row. */
  corner?: ReactNode;
}

/** The way around: new conversation, search, the topic list, servers and settings. */
export function Sidebar({ onLeave, corner }: SidebarProps): ReactElement {
  const t = useTranslations('sidebar');
  const [query, setQuery] = useState('');
  return (
    <nav aria-label={t('title')} className="flex h-full flex-col bg-side">
      <Head>{corner}</Head>
      <div className="space-y-1.5 px-3 pb-2">
        <SideLink href="/" onLeave={onLeave} icon={<SquarePen />} testId="new-chat">
          {t('newChat')}
        </SideLink>
        <div className="flex items-center gap-1">
          <SearchBox query={query} onChange={setQuery} onLeave={onLeave} />
          <FilterButton />
        </div>
        <FilterChips />
      </div>
      <div
        onKeyDown={moveFocus}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 pb-3"
      >
        {query.trim() === '' ? (
          <TopicList onLeave={onLeave} />
        ) : (
          <Part>
            <SearchResults query={query.trim()} onLeave={onLeave} />
          </Part>
        )}
      </div>
      <Foot onLeave={onLeave} />
    </nav>
  );
}

function Head({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-2 pt-4 pr-3 pb-3 pl-4">
      <Logo />
      <span className="font-semibold tracking-tight">Cerise</span>
      <span className="ml-auto" />
      <InboxBell />
      <ThemeToggle />
      {children}
    </div>
  );
}

function Foot({ onLeave }: { onLeave: () => void }) {
  const t = useTranslations('sidebar');
  return (
    // A gap and not margins: an open menu adds an element after its button, which would then get one.
    <div className="flex flex-col gap-0.5 border-t border-line p-3">
      <SideLink href="/servers" onLeave={onLeave} icon={<Server />}>
        {t('servers')}
      </SideLink>
      <SideLink href="/settings" onLeave={onLeave} icon={<Settings />}>
        {t('settings')}
      </SideLink>
      <UserMenu onLeave={onLeave} />
    </div>
  );
}

function SideLink(props: {
  href: string;
  icon: ReactNode;
  children: ReactNode;
  onLeave: () => void;
  testId?: string;
}) {
  const [location] = useLocation();
  const here =
    location === props.href || (props.href !== '/' && location.startsWith(`${props.href}/`));
  return (
    <Link
      href={props.href}
      onClick={props.onLeave}
      aria-current={here ? 'page' : undefined}
      data-testid={props.testId}
      className={`flex items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm transition-colors hover:bg-hover [&_svg]:size-4 [&_svg]:text-muted ${here ? 'bg-hover font-medium' : ''}`}
    >
      {props.icon}
      {props.children}
    </Link>
  );
}

interface SearchBoxProps {
  query: string;
  onChange: (query: string) => void;
  onLeave: () => void;
}

function SearchBox({ query, onChange, onLeave }: SearchBoxProps) {
  const t = useTranslations('sidebar');
  return (
    <div className="relative min-w-0 flex-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="text"
        role="searchbox"
        data-testid="search"
        value={query}
        aria-label={t('search')}
        placeholder={t('search')}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          else if (event.key === 'ArrowDown') focusFirst(event);
        }}
        className="h-9 w-full rounded-lg border border-transparent bg-transparent pr-9 pl-[2.1875rem] text-base outline-none placeholder:text-muted hover:bg-hover focus:border-accent-text focus:bg-raised sm:text-sm"
      />
      {!query && <PaletteHint onOpen={onLeave} />}
      {query && (
        <span className="absolute top-1/2 right-1 -translate-y-1/2">
          <IconButton label={t('clearSearch')} size="small" onClick={() => onChange('')}>
            <X />
          </IconButton>
        </span>
      )}
    </div>
  );
}
