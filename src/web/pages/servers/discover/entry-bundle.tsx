import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { BundleView, InstallBundle } from '#shared/api/bundle-api.ts';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { BundlePreview } from '../bundles/bundle-preview.tsx';

interface EntryBundleProps {
  entry: RegistryEntry;
  /** The bundle of the entry, and where it stands in it. */
  way: { place: string; bundle: { url: string; sha256: string } };
  /** The request that this fulfils. */
  request?: string | undefined;
  onClose: () => void;
  onInstalled: (server: ServerView) => void;
}

/** A bundle of the catalogue: downloaded after a press, shown, and installed with exactly the bytes of its entry. */
export function EntryBundle(props: EntryBundleProps): ReactElement {
  const { way, onClose, onInstalled } = props;
  const t = useTranslations('bundles');
  const [bundle, setBundle] = useState<BundleView>();
  const { error, busy, submit } = useSubmit();
  const { url, sha256 } = way.bundle;
  const download = async () =>
    setBundle(await api.bundles.fetch({ url, ...(sha256 !== '' && { sha256 }) }));
  if (bundle)
    return (
      <BundlePreview
        {...{ bundle, onClose, onInstalled }}
        attachedTo={undefined}
        install={(body) => installFrom(props, body)}
      />
    );
  return (
    <div className="space-y-3">
      <p className="font-mono text-[0.8125rem] break-all">
        <VisibleText text={url} />
      </p>
      {sha256 !== '' && <p className="font-mono text-xs break-all text-muted">SHA-256 {sha256}</p>}
      {error && <ErrorNote error={error} />}
      <div className="dialog-actions">
        <Button
          variant="primary"
          disabled={busy}
          onClick={() => submit(download)}
          data-testid="download-bundle"
        >
          {busy ? t('reading') : t('download')}
        </Button>
      </div>
    </div>
  );
}

async function installFrom(
  { entry, way, request }: EntryBundleProps,
  bundle: InstallBundle,
): Promise<ServerView> {
  const { registry, name, version } = entry;
  const wanted = { registry, name, version, only: [way.place] };
  const { entries } = await api.registry.install({ ...wanted, request, bundle });
  const [installed] = entries.flatMap((one) => one.server ?? []);
  if (!installed) throw new Error('one server was to be added');
  return installed;
}
