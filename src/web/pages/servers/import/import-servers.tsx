import { FileUp } from 'lucide-react';
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ImportView } from '#shared/api/import-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ImportEntryView } from './import-entry.tsx';
import { readImportFile } from './import-file.ts';
import { ImportQuestions } from './import-questions.tsx';
import { Form } from '../../../ui/controls/form.tsx';

interface ImportServersProps {
  text: string;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
}

/** Takes what another host calls a server, shows exactly what it would be, and adds what is wanted. */
export function ImportServers(props: ImportServersProps): ReactElement {
  const t = useTranslations('serverImport');
  const [text, setText] = useState(props.text);
  const { seen, error, show, fail } = useDryRun(text);
  return (
    <div className="space-y-4">
      <TextBox text={text} onChange={setText} onFailure={fail} />
      <div aria-live="polite" className="space-y-4">
        {error && <ErrorNote error={error} />}
        {seen && text.trim() !== '' && (
          <p className="text-sm text-muted">{t('found', { count: seen.view.entries.length })}</p>
        )}
      </div>
      {seen && text.trim() !== '' && (
        <Preview
          key={seen.text}
          {...props}
          {...seen}
          isOld={seen.text !== text}
          onView={(view) => show({ ...seen, view })}
          onFailure={fail}
        />
      )}
    </div>
  );
}

function TextBox(props: {
  text: string;
  onChange: (text: string) => void;
  onFailure: (error: unknown) => void;
}) {
  const t = useTranslations('serverImport');
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div>
      <Field label={t('text')} hint={t('textHint')}>
        {(ids) => (
          <textarea
            {...ids}
            rows={5}
            spellCheck={false}
            value={props.text}
            data-testid="import-text"
            onChange={(event) => props.onChange(event.target.value)}
            className="input field-sizing-content max-h-60 resize-y font-mono"
          />
        )}
      </Field>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".json,.jsonc,application/json"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) readImportFile(file).then(props.onChange, props.onFailure);
          event.target.value = '';
        }}
      />
      <Button className="mt-2" onClick={() => picker.current?.click()}>
        <FileUp aria-hidden />
        {t('file')}
      </Button>
    </div>
  );
}

interface PreviewProps extends ImportServersProps {
  view: ImportView;
  /** The text has changed since: what it would add is not shown yet, and so cannot be added. */
  isOld: boolean;
  onView: (view: ImportView) => void;
  onFailure: (error: unknown) => void;
}

function Preview({ text, view, isOld, onView, onFailure, onClose, onAdded }: PreviewProps) {
  const t = useTranslations('serverImport');
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
      const done = await api.servers.importAll({ text, answers, only });
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
          {t('add', { count: wanted.length })}
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

const pauseMs = 250;

/** What the host makes of a text, a moment after it was typed, and of which. Nothing is added. */
function useDryRun(text: string) {
  const [seen, setSeen] = useState<{ text: string; view: ImportView }>();
  const [error, setError] = useState<ErrorInfo>();
  const show = (next: { text: string; view: ImportView }) => {
    setSeen(next);
    setError(undefined);
  };
  const fail = (failure: unknown) => setError(toErrorInfo(failure));
  const settle = useEffectEvent((outcome: ImportView | { failure: unknown } | undefined) => {
    if (outcome && 'entries' in outcome) return show({ text, view: outcome });
    setSeen(undefined);
    setError(outcome && toErrorInfo(outcome.failure));
  });
  useEffect(() => {
    const left = new AbortController();
    const read = () =>
      api.servers
        .importAll({ text, dryRun: true }, left.signal)
        .catch((failure: unknown) => ({ failure }))
        .then((outcome) => left.signal.aborted || settle(outcome));
    const timer = setTimeout(() => (text.trim() === '' ? settle(undefined) : void read()), pauseMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [text]);
  return { seen, error, show, fail };
}
