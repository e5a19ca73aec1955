import { type ReactElement, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ImportServers, ImportView } from '#shared/api/import-api.ts';
import { ImportEntryView } from './import-entry.tsx';
import { ImportQuestions } from './import-questions.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { DialogActions } from '../../../ui/dialog/form-modal.tsx';
import { toggled } from '../../../ui/controls/toggled.ts';

interface ImportPreviewProps {
  /** Adds the entries at these places. */
  add: (chosen: Pick<ImportServers, 'answers' | 'only'>) => Promise<ImportView>;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
  view: ImportView;
  /** The text is one server that was chosen already. */
  single?: boolean;
  /** What adding does; absent: nothing runs yet. */
  note?: ReactNode;
  /** The text has changed since: what it would add is not shown yet, and so cannot be added. */
  isOld: boolean;
  onView: (view: ImportView) => void;
  onFailure: (error: unknown) => void;
}

/** What a text would add, with the values it leaves open, and the button that adds what is wanted. */
export function ImportPreview(props: ImportPreviewProps): ReactElement {
  const { view, single = false, note, isOld, onClose } = props;
  const t = useTranslations('serverImport');
  const install = useTranslations('discover');
  const { wanted, want, questions, answers, setAnswers, isReady, add } = useChosen(props);
  const toFillIn = (
    <ImportQuestions questions={questions} answers={answers} onChange={setAnswers} />
  );
  return (
    <Form className="space-y-4" onSend={add}>
      {/* Under a text that was pasted they come first: what it would run is often below the edge. */}
      {!single && toFillIn}
      <ul className="space-y-3">
        {view.entries.map((entry) => (
          <li key={entry.place}>
            <ImportEntryView
              entry={entry}
              single={single}
              wanted={wanted.includes(entry)}
              onWanted={(on) => want(entry.place, on)}
            />
          </li>
        ))}
      </ul>
      {single && toFillIn}
      {note ?? <p className="text-xs text-muted">{t('nothingRuns')}</p>}
      <DialogActions
        onClose={onClose}
        canSave={!isOld && isReady}
        saveText={single ? install('install') : t('add', { count: wanted.length })}
        saveTestId="import-servers"
      />
    </Form>
  );
}

/** Which entries are wanted, what they ask and how that is answered, and the way to add them. */
function useChosen({ add: addAll, view, onView, onFailure, onAdded }: ImportPreviewProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [answers, setAnswers] = useState(() => defaultAnswers(view));
  const [busy, setBusy] = useState(false);
  const wanted = view.entries.filter(
    ({ place, error, exists, server }) => !error && !exists && !server && !left.has(place),
  );
  const questions = view.questions.filter(({ id }) =>
    wanted.some((entry) => entry.questions.includes(id)),
  );
  const isAnswered = questions.every(({ id, optional }) => optional || (answers[id] ?? '') !== '');
  const want = (place: string, on: boolean) => setLeft(toggled(left, place, !on));
  const add = async () => {
    setBusy(true);
    try {
      const only = wanted.map(({ place }) => place);
      const done = await addAll({ answers, only });
      const added = done.entries.flatMap(({ server }) => server ?? []);
      if (added.length === done.entries.length) return onAdded(added);
      const byPlace = new Map(done.entries.map((entry) => [entry.place, entry]));
      onView({ ...view, entries: view.entries.map((one) => byPlace.get(one.place) ?? one) });
    } catch (error) {
      onFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const isReady = !busy && wanted.length > 0 && isAnswered;
  return { wanted, want, questions, answers, setAnswers, isReady, add };
}

function defaultAnswers({ questions }: ImportView): Record<string, string> {
  return Object.fromEntries(
    questions.flatMap(({ id, default: value }) => (value === undefined ? [] : [[id, value]])),
  );
}
