import { ExternalLink, Link2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ContentPart } from '#shared/vocabulary/tool.ts';
import { api } from '../../../state/session/api.ts';
import { Toggle } from '../../../ui/controls/toggle.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { formatBytes } from '#shared/text/bytes.ts';
import { webLink } from '../../../ui/text/safe-text.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { EmbeddedResource } from './resource-parts.tsx';

const action =
  'inline-flex min-h-8 items-center gap-1 rounded-md px-2 text-xs font-medium text-accent-text hover:bg-hover pointer-coarse:min-h-11';

interface LinkProps {
  part: Extract<ContentPart, { type: 'resource_link' }>;
  serverId?: string | undefined;
}

/** A resource that a tool points to: read through its server when asked for, a web address followed. */
export function ResourceLink({ part, serverId }: LinkProps): ReactElement {
  const t = useTranslations('tool');
  const [open, setOpen] = useState(false);
  const { uri } = part;
  const link = webLink(uri);
  return (
    <div className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm" data-testid="resource-link">
      <div className="flex flex-wrap gap-x-2.5 gap-y-1">
        <Link2 aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <LinkText part={part} />
        <span className="flex shrink-0 items-start">
          {serverId && (
            <Toggle open={open} onToggle={setOpen} className={action}>
              {open ? t('closeResource') : t('openResource')}
            </Toggle>
          )}
          {link !== null && (
            <a href={link} target="_blank" rel="noopener noreferrer nofollow" className={action}>
              {t('visit')}
              <ExternalLink aria-hidden className="size-3" />
            </a>
          )}
        </span>
      </div>
      {open && serverId && <OpenResource serverId={serverId} uri={uri} />}
    </div>
  );
}

function LinkText({ part }: Pick<LinkProps, 'part'>) {
  const { uri, name, title, description, mimeType, size } = part;
  const facts = [mimeType, size === undefined ? undefined : formatBytes(size)].filter(Boolean);
  return (
    <span className="min-w-0 flex-1 break-words">
      <span className="block font-medium">
        <VisibleText text={title ?? name} />
      </span>
      <span className="block font-mono text-xs break-all text-muted">
        <VisibleText text={uri} />
      </span>
      {description && (
        <span className="block text-xs text-muted">
          <VisibleText text={description} />
        </span>
      )}
      {facts.length > 0 && <span className="block text-xs text-muted">{facts.join(' · ')}</span>}
    </span>
  );
}

function OpenResource({ serverId, uri }: { serverId: string; uri: string }) {
  const t = useTranslations('tool');
  const common = useTranslations('common');
  const { value, error } = useLoaded(
    (signal) => api.servers.readResource(serverId, uri, signal),
    `${serverId} ${uri}`,
  );
  return (
    <div className="mt-2.5 space-y-2.5 border-t border-line pt-2.5" data-testid="resource">
      {error && <ErrorNote error={error} />}
      {!error && !value && (
        <p role="status" className="text-xs text-muted">
          {common('loading')}
        </p>
      )}
      {value?.contents.length === 0 && <p className="text-muted">{t('emptyResult')}</p>}
      {value?.contents.map((resource, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- what was read does not change
        <EmbeddedResource key={index} part={{ type: 'resource', resource }} />
      ))}
    </div>
  );
}
