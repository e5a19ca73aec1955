import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerDifference, ServerUpdate } from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { Form } from '../../../ui/controls/form.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { DialogActions } from '../../../ui/dialog/form-modal.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { ImportQuestions } from '../import/import-questions.tsx';
import { EntryFacts } from './entry-facts.tsx';
import { EntryBundle } from './entry-bundle.tsx';

interface UpdateServerProps {
  update: ServerUpdate;
  onClose: () => void;
  onUpdated: (server: ServerView) => void;
}

/** What another version of a server changes. It runs once what it is then was approved again. */
export function UpdateServer({ update, onClose, onUpdated }: UpdateServerProps): ReactElement {
  const t = useTranslations('discover');
  const { entry, bundle, name } = update;
  return (
    <Modal open isToRead onClose={onClose} title={t('updateNamed', { name })}>
      <div className="space-y-4" data-testid="update-server">
        <EntryFacts entry={entry} />
        {bundle ? (
          <EntryBundle
            entry={entry}
            way={{ place: bundle.place, bundle }}
            onClose={onClose}
            onInstalled={onUpdated}
          />
        ) : (
          <Changes {...{ update, onClose, onUpdated }} />
        )}
      </div>
    </Modal>
  );
}

function Changes({ update, onClose, onUpdated }: UpdateServerProps) {
  const t = useTranslations('discover');
  const { server, entry } = update;
  const wanted = { server, version: entry.version };
  const { value, error: unread } = useLoaded(
    (signal) => api.registry.update({ ...wanted, dryRun: true }, signal),
    `${server} ${entry.version}`,
  );
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const { error, submit } = useSubmit();
  const failure = error ?? unread;
  const questions = value?.questions ?? [];
  const difference = value?.difference ?? update.difference;
  const isOpen = questions.some(({ id, optional }) => !optional && (answers[id] ?? '') === '');
  const send = async () => {
    const { updated } = await api.registry.update({ ...wanted, answers });
    if (updated) onUpdated(updated);
  };
  return (
    <Form className="space-y-4" onSend={() => submit(send)}>
      {difference && <Difference difference={difference} />}
      <ImportQuestions questions={questions} answers={answers} onChange={setAnswers} />
      {failure && <ErrorNote error={failure} />}
      <p className="text-xs text-muted">{t('updateAsks')}</p>
      <DialogActions
        onClose={onClose}
        canSave={value !== undefined && !isOpen}
        saveText={t('update')}
        saveTestId="update-now"
      />
    </Form>
  );
}

type Row = [name: string, before: string[], after: string[]];

/** What was and what would be, each word on a line of its own. */
function Difference({ difference }: { difference: ServerDifference }) {
  const t = useTranslations('discover');
  const words = useTranslations('servers');
  const { version, command, args, url, registryUrl, env, headers } = difference;
  const text = (name: string, change?: { before: string; after: string }): Row[] =>
    change ? [[name, [change.before], [change.after]]] : [];
  const names = (name: string, { added, removed, changed }: ServerDifference['env']): Row[] =>
    added.length + removed.length + changed.length === 0
      ? []
      : [[name, removed, [...added, ...changed.map((one) => t('changedValue', { name: one }))]]];
  const rows: Row[] = [
    ...text(t('version'), version),
    ...text(words('command'), command),
    ...(args ? [[words('args'), args.before, args.after] satisfies Row] : []),
    ...text(words('address'), url),
    ...text(words('registry'), registryUrl),
    ...names(words('env'), env),
    ...names(words('headers'), headers),
  ];
  return (
    <dl className="space-y-2.5 rounded-lg bg-sunken px-3.5 py-3 text-sm" data-testid="difference">
      {rows.map(([name, before, after]) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 font-mono text-[0.8125rem] break-all">
            <Words sign="−" words={before.filter((word) => !after.includes(word))} />
            <Words sign="+" words={after.filter((word) => !before.includes(word))} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Words({ sign, words }: { sign: '−' | '+'; words: string[] }) {
  const t = useTranslations('discover');
  return words.map((word, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- words may repeat, their place is their identity
    <div key={index} className={`whitespace-pre-wrap ${sign === '+' ? 'text-ok' : 'text-danger'}`}>
      <span aria-hidden>{sign} </span>
      <span className="sr-only">{t(sign === '+' ? 'addedWord' : 'removedWord')} </span>
      {word === '' ? '""' : <VisibleText text={word} />}
    </div>
  ));
}
