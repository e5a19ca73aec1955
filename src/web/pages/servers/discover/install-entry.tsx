import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ImportedEntry } from '#shared/api/import-api.ts';
import type {
  InstalledEntry,
  InstallRequestView,
  RegistryEntry,
} from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { SelectField } from '../../../ui/controls/labelled.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { ImportPreview } from '../import/import-preview.tsx';
import { useDryRun } from '../import/use-dry-run.ts';
import { allowServers } from '../launch/allow-servers.ts';
import { EntryBundle } from './entry-bundle.tsx';
import { EntryFacts } from './entry-facts.tsx';
import { InstallNote, isSameConfig } from './install-note.tsx';
import { PresentEntry } from './present-entry.tsx';
import { RequestEntry } from './request-entry.tsx';
import { useEntryText } from './use-entry-text.ts';
import { VersionChoice } from './version-choice.tsx';

interface InstallEntryProps {
  entry: RegistryEntry;
  /** The request that this fulfils: the way that it names comes first. */
  request?: Pick<InstallRequestView, 'id' | 'place'> | undefined;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
  /** They run or are reached exactly as they were shown. */
  onApproved: (servers: ServerView[]) => void;
}

/** What a server would run or reach, and what it asks for. To install it is to approve exactly what was shown. */
export function InstallEntry(props: InstallEntryProps): ReactElement {
  const [entry, setEntry] = useState(props.entry);
  const description = useEntryText(entry);
  const key = `${entry.registry} ${entry.name} ${entry.version}`;
  return (
    <Modal open onClose={props.onClose} title={entry.title} description={description}>
      <div className="space-y-4" data-testid="install-entry">
        <EntryFacts entry={entry} />
        <VersionChoice entry={entry} onChoose={setEntry} />
        <Ways key={key} {...props} entry={entry} />
      </div>
    </Modal>
  );
}

/** The packages and addresses of one version: one of them is chosen, seen and installed. */
function Ways({ entry, request, onClose, onAdded, onApproved }: InstallEntryProps) {
  const [chosen, setChosen] = useState<number>();
  const { registry, name, version } = entry;
  const wanted = { registry, name, version };
  const { needsAdmin, sandbox, seen, error, show, fail } = useWays(wanted);
  const ways = seen?.view.entries ?? [];
  const wished = ways.findIndex(({ place }) => place === request?.place);
  const at = chosen ?? Math.max(0, wished);
  const way = ways[at];
  const settle = async ({ config }: ImportedEntry, servers: ServerView[]) => {
    if (!servers.every((server) => isSameConfig(config, server))) return onAdded(servers);
    try {
      await allowServers(servers);
      onApproved(servers);
    } catch (failure) {
      showFailure(failure);
      onAdded(servers);
    }
  };
  // What is filled in becomes a part of the command, which is then shown once more.
  const changes = seen?.view.questions.some(
    ({ id, inClear }) => inClear && way?.questions.includes(id),
  );
  const isForAdmin = way !== undefined && needsAdmin.includes(way.place);
  return (
    <>
      <WayField ways={ways} at={at} onChoose={setChosen} />
      {error && <ErrorNote error={error} />}
      {way && isForAdmin && <RequestEntry entry={entry} way={way} onClose={onClose} />}
      {way?.bundle && !isForAdmin && (
        <EntryBundle
          {...{ entry, onClose }}
          request={request?.id}
          way={{ place: way.place, bundle: way.bundle }}
          onInstalled={(server) => onAdded([server])}
        />
      )}
      {way?.exists && !isForAdmin && <PresentEntry {...{ way, onClose }} onReview={onAdded} />}
      {seen && way && !way.bundle && !way.exists && !isForAdmin && (
        <ImportPreview
          key={way.place}
          single
          note={changes ? undefined : <InstallNote config={way.config} sandbox={sandbox} />}
          view={{ ...seen.view, entries: [way] }}
          isOld={false}
          add={(choice) => api.registry.install({ ...wanted, ...choice, request: request?.id })}
          onView={({ entries: [changed = way] }) =>
            show({ ...seen, view: { ...seen.view, entries: ways.with(at, changed) } })
          }
          onFailure={fail}
          onClose={onClose}
          onAdded={(servers) => void settle(way, servers)}
        />
      )}
    </>
  );
}

/** What each way would add, and the places of those that only an admin may choose. */
function useWays(wanted: Pick<RegistryEntry, 'registry' | 'name' | 'version'>) {
  const [{ needsAdmin, sandbox }, setFacts] = useState<
    Pick<InstalledEntry, 'needsAdmin' | 'sandbox'>
  >({
    needsAdmin: [],
  });
  const dryRun = useDryRun(`${wanted.name} ${wanted.version}`, async (_, signal) => {
    const view = await api.registry.install({ ...wanted, dryRun: true }, signal);
    setFacts(view);
    return view;
  });
  return { needsAdmin, sandbox, ...dryRun };
}

interface WayFieldProps {
  ways: ImportedEntry[];
  at: number;
  onChoose: (at: number) => void;
}

function WayField({ ways, at, onChoose }: WayFieldProps) {
  const t = useTranslations('discover');
  if (ways.length < 2) return null;
  return (
    <SelectField
      label={t('way')}
      value={String(at)}
      onChoose={(next) => onChoose(Number(next))}
      options={ways.map((each, index) => [String(index), wayLabel(each)])}
      data-testid="way"
    />
  );
}

/** What tells one way from another: the program, the host, or that it is a bundle. */
function wayLabel({ place, config, bundle }: ImportedEntry): string {
  const { command, baseUrl } = (config ?? {}) as { command?: string; baseUrl?: string };
  const host = baseUrl === undefined ? undefined : URL.parse(baseUrl)?.host;
  const what = bundle ? 'mcpb' : (command ?? host);
  return what === undefined ? place : `${what} · ${place}`;
}
