import { FileUp } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { Attachment } from '#shared/vocabulary/server.ts';
import { api } from '../../../state/session/api.ts';
import { FileButton } from '../../../ui/controls/file-button.tsx';
import { AreaField } from '../../../ui/controls/labelled.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { readImportFile } from './import-file.ts';
import { ImportPreview } from './import-preview.tsx';
import { useDryRun } from './use-dry-run.ts';

/** As the documents of most servers print it. */
const example = '{ "mcpServers": { … } }';

interface ImportServersProps {
  text: string;
  /** Makes them session servers. */
  attachedTo: Attachment | undefined;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
}

/** Takes what another host calls a server, shows exactly what it would be, and adds what is wanted. */
export function ImportServers(props: ImportServersProps): ReactElement {
  const t = useTranslations('serverImport');
  const [text, setText] = useState(props.text);
  const { attachedTo } = props;
  const place = attachedTo && { attachedTo };
  const { seen, error, show, fail } = useDryRun(
    text,
    (given, signal) => api.servers.importAll({ text: given, dryRun: true, ...place }, signal),
    JSON.stringify(attachedTo),
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
          add={(chosen) => api.servers.importAll({ text: seen.text, ...chosen, ...place })}
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
  return (
    <div>
      <AreaField
        label={t('text')}
        hint={t('textHint')}
        rows={5}
        spellCheck={false}
        value={props.text}
        placeholder={example}
        autoFocus
        data-testid="import-text"
        onWrite={props.onChange}
        className="field-sizing-content max-h-60 min-h-32 resize-y font-mono"
      />
      <FileButton
        className="mt-2"
        accept=".json,.jsonc,application/json"
        onFile={(file) => void readImportFile(file).then(props.onChange, props.onFailure)}
      >
        <FileUp aria-hidden />
        {t('file')}
      </FileButton>
    </div>
  );
}
