import { ShieldAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { accessWords, notEnforced } from '#shared/api/access-words.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { SandboxView } from '#shared/api/server-api.ts';
import { toWords } from '#shared/errors/sentence.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { useSentence } from '../../../ui/notices/use-sentence.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** What a local server may reach, in the reader's language. */
export function useAccessWords(): (access: ServerAccess | undefined) => {
  files: string[];
  network: string;
} {
  const sentence = useSentence();
  return (access) => {
    const { files, network } = accessWords(access);
    const said = (words: typeof network) => sentence(words.text, words);
    return { files: files.map(said), network: said(network) };
  };
}

/** The same in one sentence, with a warning where nothing keeps the server to it. Nothing for other servers. */
export function AccessNote({ server }: { server: ServerView }): ReactElement | null {
  const t = useTranslations('access');
  const words = useAccessWords();
  const config = server.config as ServerConfig;
  if (config.type !== 'stdio' || server.readOnly) return null;
  const { files, network } = words(config.access);
  return (
    <div className="mb-3 text-sm" data-testid="access-note">
      <p className="break-words text-muted">
        <VisibleText text={t('sentence', { files: files.join(', '), network })} />
      </p>
      <SandboxWarning server={server} />
    </div>
  );
}

/** Says that this machine cannot keep a server to its access, and why. */
export function SandboxWarning({ server }: { server: ServerView }): ReactElement | null {
  const { value } = useLoaded((signal) => api.servers.diagnosis(server.id, signal), server.id);
  return <NotEnforced sandbox={value?.sandbox} />;
}

/** The same of what is no server yet. */
export function NotEnforced(props: { sandbox: SandboxView | undefined }): ReactElement | null {
  const { sandbox } = props;
  const sentence = useSentence();
  const reason = sandbox?.reason && toWords(sandbox.reason, sandbox.reasonSaid);
  const warning = notEnforced(sandbox && { works: sandbox.works, reason });
  if (!warning) return null;
  return (
    <p
      className="mt-1.5 flex items-start gap-2 rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm"
      data-testid="not-enforced"
    >
      <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {sentence(warning.text, warning)}
    </p>
  );
}
