import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ImportServers, ImportView } from '#shared/api/import-api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ImportEntryView } from './import-entry.tsx';
import { ImportQuestions } from './import-questions.tsx';
import { Form } from '../../../ui/controls/form.tsx';

interface ImportPreviewProps {
  /** Adds the entries at these places. */
  add: (chosen: Pick<ImportServers, 'answers' | 'only'>) => Promise<ImportView>;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
  view: ImportView;
  /** The text is one server that was chosen already. */
  single?: boolean;
  /** The text has changed since: what it would add is not shown yet, and so cannot be added. */
  isOld: boolean;
  onView: (view: ImportView) => void;
  onFailure: (error: unknown) => void;
}

/** What a text would add, with the values it leaves open, and the button that adds what is wanted. */
export function ImportPreview(props: ImportPreviewProps): ReactElement {
  const { add: addAll, view, single = false, isOld, onView, onFailure, onClose, onAdded } = props;
  const t = useTranslations('serverImport');
  const install = useTranslations('discover');
  const common = useTranslations('common');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [answers, setAnswers] = useState(() => defaultAnswers(view));
  const [busy, setBusy] = useState(false);
  const wanted = view.entries.filter(
    ({ place, error, exists, server }) => !error && !exists && !server && !left.has(place),
  );
  const asked = view.questions.filter(({ id }) =>
    wanted.some(({ questions }) => questions.includes(id)),
  );
  const unanswered = asked.some(({ id, optional }) => !optional && (answers[id] ?? '') === '');
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
  return (
    <Form className="space-y-4" onSend={add}>
      <ul className="space-y-3">
        {view.entries.map((entry) => (
          <li key={entry.place}>
            <ImportEntryView
              entry={entry}
              single={single}
              wanted={wanted.includes(entry)}
              onWanted={(on) => setLeft(toggled(left, entry.place, !on))}
            />
          </li>
        ))}
      </ul>
      <ImportQuestions questions={asked} answers={answers} onChange={setAnswers} />
      <p className="text-xs text-muted">{t('nothingRuns')}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={busy || isOld || wanted.length === 0 || unanswered}
          data-testid="import-servers"
        >
          {single ? install('install') : t('add', { count: wanted.length })}
        </Button>
      </div>
    </Form>
  );
}

function toggled(set: ReadonlySet<string>, item: string, on: boolean): ReadonlySet<string> {
  const rest = [...set].filter((each) => each !== item);
  return new Set(on ? [...rest, item] : rest);
}

function defaultAnswers({ questions }: ImportView): Record<string, string> {
  return Object.fromEntries(
    questions.flatMap(({ id, default: value }) => (value === undefined ? [] : [[id, value]])),
  );
}
