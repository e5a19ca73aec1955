import { FileUp } from 'lucide-react';
import { type ReactElement, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { readImportFile } from './import-file.ts';
import { ImportPreview } from './import-preview.tsx';
import { useDryRun } from './use-dry-run.ts';

interface ImportServersProps {
  text: string;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
}

/** Takes what another host calls a server, shows exactly what it would be, and adds what is wanted. */
export function ImportServers(props: ImportServersProps): ReactElement {
  const t = useTranslations('serverImport');
  const [text, setText] = useState(props.text);
  const { seen, error, show, fail } = useDryRun(text, (given, signal) =>
    api.servers.importAll({ text: given, dryRun: true }, signal),
  );
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
        <ImportPreview
          key={seen.text}
          {...props}
          view={seen.view}
          add={(chosen) => api.servers.importAll({ text: seen.text, ...chosen })}
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
