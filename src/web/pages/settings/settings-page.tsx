import { type ComponentType, type ReactElement, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { useIsAdmin } from '../../state/session/session.ts';
import { Page } from '../../ui/layout/page.tsx';
import { About } from './about.tsx';
import { Appearance } from './appearance.tsx';
import { Data } from './data/data.tsx';
import { HostLog } from './host-log.tsx';
import { HostSettings } from './host-settings.tsx';
import { Providers } from './models/providers.tsx';
import { Notifications } from './notifications.tsx';
import { Account } from './people/account.tsx';
import { People } from './people/people.tsx';
import { PolicySettings } from './policy/policy-settings.tsx';
import { offeredSections, type Section, type SectionId, sections } from './sections.ts';
import { Usage } from './usage/usage.tsx';

const contents: Record<SectionId, ComponentType> = {
  appearance: Appearance,
  notifications: Notifications,
  models: Providers,
  approvals: PolicySettings,
  usage: Usage,
  data: Data,
  host: HostSettings,
  log: HostLog,
  account: Account,
  people: People,
  about: About,
};

/** Preferences of this browser and settings of the host, one section at a time. */
export function SettingsPage({ section }: { section: string | undefined }): ReactElement {
  const t = useTranslations('settings');
  const isAdmin = useIsAdmin();
  const offered = offeredSections(isAdmin);
  const shown: Section & { id: SectionId } =
    offered.find(({ id }) => id === section) ?? sections[0];
  const Content = contents[shown.id];
  return (
    <Page title={t('title')} nav={<SectionLinks sections={offered} current={shown.id} />}>
      <section aria-labelledby="section-title">
        <h2 id="section-title" className="font-semibold">
          {t(shown.title)}
        </h2>
        {shown.intro && <p className="mt-1 text-sm text-pretty text-muted">{t(shown.intro)}</p>}
        <div className="mt-4">
          <Content />
        </div>
      </section>
    </Page>
  );
}

interface SectionLinksProps {
  sections: ReturnType<typeof offeredSections>;
  current: SectionId;
}

/** A row that scrolls on a narrow page, a column beside the section on a wide one. */
function SectionLinks({ sections: offered, current }: SectionLinksProps) {
  const t = useTranslations('settings');
  const nav = useRef<HTMLElement>(null);
  // The current one is in sight, also when the sections of admins have come in.
  useEffect(() => {
    const row = nav.current;
    const link = row?.querySelector<HTMLElement>('[aria-current]');
    if (row && link) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
  });
  return (
    <nav
      ref={nav}
      aria-label={t('sections')}
      className="relative -mx-4 mb-8 flex gap-1 overflow-x-auto border-b border-line px-4 pb-3 sm:mx-0 sm:px-0 @min-[58rem]:sticky @min-[58rem]:top-10 @min-[58rem]:-ml-2 @min-[58rem]:flex-col @min-[58rem]:self-start @min-[58rem]:overflow-visible @min-[58rem]:border-b-0"
    >
      {offered.map(({ id, title }) => (
        <Link
          key={id}
          href={`/settings/${id}`}
          aria-current={id === current ? 'page' : undefined}
          data-testid={`settings-${id}`}
          className={`shrink-0 rounded-md px-2 py-1.5 text-sm hover:text-ink pointer-coarse:py-2 ${id === current ? 'bg-hover text-ink' : 'text-muted'}`}
        >
          {t(title)}
        </Link>
      ))}
    </nav>
  );
}
