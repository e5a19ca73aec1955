import { FileUp } from 'lucide-react';
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { BundleView } from '#shared/api/bundle-api.ts';
import type { Attachment } from '#shared/vocabulary/server.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FileButton } from '../../../ui/controls/file-button.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { BundlePreview } from './bundle-preview.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { InputField } from '../../../ui/controls/labelled.tsx';

interface InstallBundleProps {
  /** A file that was dropped. */
  file: File | undefined;
  /** Makes it a session server. */
  attachedTo: Attachment | undefined;
  onClose: () => void;
  onInstalled: (server: ServerView) => void;
}

/** Takes a bundle from a file or an address, shows what it would be, and installs it. */
export function InstallBundle(props: InstallBundleProps): ReactElement {
  const { file, ...given } = props;
  const t = useTranslations('bundles');
  const servers = useTranslations('servers');
  const isAdmin = useIsAdmin();
  const { bundle, error, busy, take } = useBundle();
  const upload = (chosen: File) => take((signal) => api.bundles.upload(chosen, signal));
  const takeDropped = useEffectEvent((dropped: File) => {
    if (isAdmin) upload(dropped);
  });
  useEffect(() => {
    if (file) takeDropped(file);
  }, [file]);
  if (!isAdmin) return <p className="text-sm text-muted">{servers('commandsForAdmins')}</p>;
  if (bundle) return <BundlePreview key={bundle.file} bundle={bundle} {...given} />;
  return (
    <div className="space-y-4">
      <p className="text-sm text-muted">{t('intro')}</p>
      <Sources
        busy={busy}
        onFile={upload}
        onUrl={(url) => take((signal) => api.bundles.fetch({ url }, signal))}
      />
      <div aria-live="polite">
        {busy && <p className="text-sm text-muted">{t('reading')}</p>}
        {error && <ErrorNote error={error} />}
      </div>
    </div>
  );
}

function Sources(props: {
  busy: boolean;
  onFile: (file: File) => void;
  onUrl: (url: string) => void;
}) {
  const t = useTranslations('bundles');
  const [url, setUrl] = useState('');
  return (
    <>
      <FileButton
        accept=".mcpb,.dxt"
        inputTestId="bundle-file"
        disabled={props.busy}
        onFile={props.onFile}
      >
        <FileUp aria-hidden />
        {t('choose')}
      </FileButton>
      <Form className="space-y-2" onSend={() => url.trim() !== '' && props.onUrl(url.trim())}>
        <InputField
          label={t('url')}
          type="url"
          placeholder="https://"
          value={url}
          onWrite={setUrl}
        />
        <Button type="submit" disabled={props.busy || url.trim() === ''}>
          {t('download')}
        </Button>
      </Form>
    </>
  );
}

/** One bundle at a time; what is on its way when another comes, or the dialog closes, is given up. */
function useBundle() {
  const [bundle, setBundle] = useState<BundleView>();
  const [error, setError] = useState<ErrorInfo>();
  const [busy, setBusy] = useState(false);
  const under = useRef<AbortController>(undefined);
  useEffect(() => () => under.current?.abort(), []);
  const take = (read: (signal: AbortSignal) => Promise<BundleView>): void => {
    under.current?.abort();
    const controller = new AbortController();
    under.current = controller;
    setBusy(true);
    setError(undefined);
    void read(controller.signal)
      .then(setBundle, (failure: unknown) => {
        if (!controller.signal.aborted) setError(toErrorInfo(failure));
      })
      .finally(() => {
        if (!controller.signal.aborted) setBusy(false);
      });
  };
  return { bundle, error, busy, take };
}
