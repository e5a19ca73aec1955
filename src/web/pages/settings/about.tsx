import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { AboutView } from '#shared/api/about-api.ts';
import { api } from '../../state/session/api.ts';
import { useLoaded } from '../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../ui/notices/error-note.tsx';

const databases: Record<AboutView['database'], string> = {
  sqlite: 'SQLite',
  postgresql: 'PostgreSQL',
};

/** What this host is; nothing of it is asked of the network. */
export function About(): ReactElement {
  const t = useTranslations('about');
  const { value, error } = useLoaded(api.settings.about, 'about');
  if (error) return <ErrorNote error={error} />;
  return (
    <div data-testid="about" aria-busy={!value} className="space-y-6 text-sm">
      {value && <Facts about={value} />}
      <section>
        <h3 className="font-semibold">{t('more')}</h3>
        <p className="mt-1 text-pretty text-muted">{t('docs')}</p>
        <p className="mt-2">
          <a href="/api/openapi.json" target="_blank" className="text-accent-text underline">
            {t('api')}
          </a>
        </p>
      </section>
    </div>
  );
}

function Facts({ about }: { about: AboutView }) {
  const t = useTranslations('about');
  const { version, licence, protocols, database, node, dataFolder } = about;
  return (
    <dl className="card divide-y divide-line">
      <Fact name={t('version')}>Cerise {version}</Fact>
      <Fact name={t('protocols')}>
        {protocols.map((one, index) => (
          <span key={one} className="inline-block whitespace-pre">
            {index < protocols.length - 1 ? `${one}, ` : one}
          </span>
        ))}
      </Fact>
      <Fact name={t('database')}>{databases[database]}</Fact>
      {dataFolder !== undefined && (
        <Fact name={t('dataFolder')}>
          <code className="font-mono text-[0.8125rem] break-all">{dataFolder}</code>
        </Fact>
      )}
      <Fact name="Node.js">{node}</Fact>
      <Fact name={t('licence')}>{licence}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2.5">
      <dt className="w-40 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 flex-1 basis-56">{children}</dd>
    </div>
  );
}
