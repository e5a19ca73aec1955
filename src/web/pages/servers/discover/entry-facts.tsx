import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { pickedRegistry } from '#shared/messages/builtin-tool.ts';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** Who offers an entry and where, its links, and that it should no longer be used. */
export function EntryFacts({ entry }: { entry: RegistryEntry }): ReactElement {
  const t = useTranslations('discover');
  const { name, registry, version, status, statusMessage = '', website, repository } = entry;
  const { value: list } = useLoaded((signal) => api.registry.list(signal), registry);
  const found = list?.registries.find(({ id }) => id === registry);
  const source = registry === pickedRegistry ? t('picked') : (found?.name ?? registry);
  return (
    <div className="space-y-1 text-xs break-words text-muted" data-testid="entry-facts">
      <p>
        <VisibleText text={t('offered', { name, version, registry: source })} />
      </p>
      {status === 'deprecated' && (
        <p className="text-warn">
          <VisibleText text={[t('deprecatedText'), statusMessage].join(' ').trim()} />
        </p>
      )}
      <p className="flex flex-wrap gap-x-3">
        <Away label={t('website')} href={website} />
        <Away label={t('repository')} href={repository} />
      </p>
    </div>
  );
}

/** A link that leads to another site, which is told nothing. */
function Away({ label, href }: { label: string; href: string | undefined }) {
  if (href === undefined) return null;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent-text underline"
    >
      {label}
      <span className="sr-only"> {new URL(href).host}</span>
    </a>
  );
}
