import type { ComponentType, ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { useIsAdmin } from '../../state/session/session.ts';
import { Page } from '../../ui/layout/page.tsx';
import { About } from './about.tsx';
import { Appearance } from './appearance.tsx';
import { Data } from './data/data.tsx';
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
    <Page title={t('title')}>
      <nav
        aria-label={t('sections')}
        className="mb-8 flex flex-wrap gap-1 border-b border-line pb-3"
      >
        {offered.map(({ id, title }) => (
          <Link
            key={id}
            href={`/settings/${id}`}
            aria-current={id === shown.id ? 'page' : undefined}
            data-testid={`settings-${id}`}
            className={`rounded-md px-2 py-1.5 text-sm hover:text-ink pointer-coarse:py-2 ${id === shown.id ? 'bg-hover text-ink' : 'text-muted'}`}
          >
            {t(title)}
          </Link>
        ))}
      </nav>
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
