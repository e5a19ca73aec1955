import { type ReactElement, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { BundleView } from '#shared/api/bundle-api.ts';
import { checkForm } from '../../../features/form/check-form.ts';
import { focusProblem, SchemaForm } from '../../../features/form/schema-form.tsx';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { LaunchFacts } from '../launch/launch-facts.tsx';
import { BundleChanges } from './bundle-difference.tsx';
import { configWith, settingsOf } from './form-values.ts';

interface BundlePreviewProps {
  bundle: BundleView;
  onClose: () => void;
  onInstalled: (server: ServerView) => void;
}

/** What a bundle is, asks for and would run. Nothing runs before the draft it becomes is approved. */
export function BundlePreview({ bundle, onClose, onInstalled }: BundlePreviewProps): ReactElement {
  const t = useTranslations('bundles');
  const common = useTranslations('common');
  const [target, setTarget] = useState(bundle.updates[0]?.server ?? '');
  const update = bundle.updates.find(({ server }) => server === target);
  const [value, setValue] = useState(update?.values ?? bundle.values);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { error, submit } = useSubmit();
  const errors = checkForm(bundle.form, value);
  const install = async () => {
    const values = settingsOf(bundle.form, value);
    const server = target === '' ? {} : { server: target };
    onInstalled(await api.bundles.install({ file: bundle.file ?? '', values, ...server }));
  };
  const choose = (server: string) => {
    setTarget(server);
    setValue(bundle.updates.find((each) => each.server === server)?.values ?? bundle.values);
  };
  return (
    <form
      ref={form}
      className="space-y-4"
      data-testid="bundle-preview"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (Object.keys(errors).length > 0) focusProblem(form.current, errors);
        else submit(install);
      }}
    >
      <Head bundle={bundle} />
      {bundle.problem && <ErrorNote error={bundle.problem} />}
      <Target updates={bundle.updates} target={target} onTarget={choose} />
      {update && <BundleChanges difference={update.difference} />}
      {Object.keys(bundle.form.properties).length > 0 && (
        <fieldset className="min-w-0 space-y-3">
          <legend className="mb-2 text-sm font-medium">{t('settings')}</legend>
          <SchemaForm
            schema={bundle.form}
            value={value}
            errors={tried ? errors : {}}
            onChange={setValue}
          />
        </fieldset>
      )}
      <div>
        <p className="mb-2 text-sm font-medium">{t('runs')}</p>
        <LaunchFacts config={configWith(bundle, value)} />
      </div>
      {error && <ErrorNote error={error} />}
      <p className="text-xs text-muted">{t('nothingRuns', { folder: '${__dirname}' })}</p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" variant="primary" data-testid="install-bundle">
          {update ? t('updateNow') : t('install')}
        </Button>
      </div>
    </form>
  );
}

function Head({ bundle }: { bundle: BundleView }) {
  const t = useTranslations('servers');
  return (
    <div>
      <h3 className="font-medium break-words">
        <VisibleText text={`${bundle.title} ${bundle.version}`} />
      </h3>
      <p className="text-sm break-words text-muted">
        {t('publisher')}: <VisibleText text={t('unverified', { name: bundle.publisher })} />
      </p>
      <p className="mt-1 max-h-32 overflow-y-auto text-sm break-words whitespace-pre-wrap text-muted">
        <VisibleText text={bundle.description} />
      </p>
    </div>
  );
}

/** Whether it updates a server that is installed from the same bundle, or becomes one more. */
function Target(props: {
  updates: BundleView['updates'];
  target: string;
  onTarget: (server: string) => void;
}) {
  const t = useTranslations('bundles');
  if (props.updates.length === 0) return null;
  return (
    <Field label={t('installAs')}>
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={props.target}
          onChange={(event) => props.onTarget(event.target.value)}
        >
          {props.updates.map(({ server, name }) => (
            <option key={server} value={server}>
              {t('update', { name })}
            </option>
          ))}
          <option value="">{t('asNew')}</option>
        </select>
      )}
    </Field>
  );
}
