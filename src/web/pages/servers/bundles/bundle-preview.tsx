import { type ComponentProps, type ReactElement, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { BundleView, InstallBundle } from '#shared/api/bundle-api.ts';
import type { Attachment } from '#shared/vocabulary/server.ts';
import { checkForm } from '../../../features/form/check-form.ts';
import { focusProblem, SchemaForm } from '../../../features/form/schema-form.tsx';
import { api } from '../../../state/session/api.ts';
import { Form } from '../../../ui/controls/form.tsx';
import { SelectField } from '../../../ui/controls/labelled.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { DialogActions } from '../../../ui/dialog/form-modal.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { LaunchFacts } from '../launch/launch-facts.tsx';
import { BundleChanges } from './bundle-difference.tsx';
import { configWith, settingsOf } from './form-values.ts';

interface BundlePreviewProps {
  bundle: BundleView;
  /** Makes a new server a session server. */
  attachedTo: Attachment | undefined;
  onClose: () => void;
  onInstalled: (server: ServerView) => void;
  /** How it is installed; absent: as any bundle. */
  install?: (body: InstallBundle) => Promise<ServerView>;
}

/** What a bundle is, asks for and would run. Nothing runs before the draft it becomes is approved. */
export function BundlePreview(props: BundlePreviewProps): ReactElement {
  const { bundle, onClose } = props;
  const t = useTranslations('bundles');
  const { target, choose, update, value, setValue, install } = useInstall(props);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { error, submit } = useSubmit();
  const errors = checkForm(bundle.form, value);
  const send = () => {
    setTried(true);
    if (Object.keys(errors).length > 0) focusProblem(form.current, errors);
    else submit(install);
  };
  return (
    <Form ref={form} className="space-y-4" data-testid="bundle-preview" onSend={send}>
      <Head bundle={bundle} />
      {bundle.problem && <ErrorNote error={bundle.problem} />}
      <Target updates={bundle.updates} target={target} onTarget={choose} />
      {update && <BundleChanges difference={update.difference} />}
      <Settings
        schema={bundle.form}
        value={value}
        errors={tried ? errors : {}}
        onChange={setValue}
      />
      <div>
        <p className="mb-2 text-sm font-medium">{t('runs')}</p>
        <LaunchFacts config={configWith(bundle, value)} />
      </div>
      {error && <ErrorNote error={error} />}
      <p className="text-xs text-muted">{t('nothingRuns', { folder: '${__dirname}' })}</p>
      <DialogActions
        onClose={onClose}
        saveText={update ? t('updateNow') : t('install')}
        saveTestId="install-bundle"
      />
    </Form>
  );
}

/** Whether it becomes a new server or updates one, with which values, and the way there. */
function useInstall(props: BundlePreviewProps) {
  const { bundle, attachedTo, onInstalled, install: send = api.bundles.install } = props;
  const valuesFor = (id: string) =>
    bundle.updates.find(({ server }) => server === id)?.values ?? bundle.values;
  const [target, setTarget] = useState(bundle.updates[0]?.server ?? '');
  const [value, setValue] = useState(valuesFor(target));
  const update = bundle.updates.find(({ server }) => server === target);
  const choose = (server: string) => {
    setTarget(server);
    setValue(valuesFor(server));
  };
  const install = async () => {
    const values = settingsOf(bundle.form, value);
    const server = target === '' ? attachedTo && { attachedTo } : { server: target };
    onInstalled(await send({ file: bundle.file ?? '', values, ...server }));
  };
  return { target, choose, update, value, setValue, install };
}

function Settings(props: ComponentProps<typeof SchemaForm> & { schema: BundleView['form'] }) {
  const t = useTranslations('bundles');
  if (Object.keys(props.schema.properties).length === 0) return null;
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="mb-2 text-sm font-medium">{t('settings')}</legend>
      <SchemaForm {...props} />
    </fieldset>
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
    <SelectField
      label={t('installAs')}
      value={props.target}
      onChoose={props.onTarget}
      options={[
        ...props.updates.map(({ server, name }) => [server, t('update', { name })] as const),
        ['', t('asNew')],
      ]}
    />
  );
}
