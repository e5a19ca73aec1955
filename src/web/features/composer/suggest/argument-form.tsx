import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { type Argument, ArgumentFields, nonEmptyValues } from '../../contents/argument-fields.tsx';
import { expandTemplate, templateVariables } from '../../contents/uri-template.ts';
import { useAttach } from '../attachments/use-attach.ts';
import { addResource, fetchPrompt } from './add-to-draft.ts';
import type { Suggestion } from './suggestions.ts';
import { Form } from '../../../ui/controls/form.tsx';

interface ArgumentFormProps {
  suggestion: Suggestion;
  topicId: string | null;
  onClose: () => void;
}

/** Asks for the arguments of a prompt or the variables of a template, with the server's proposals. */
export function ArgumentForm({
  suggestion,
  topicId,
  onClose,
}: ArgumentFormProps): ReactElement | null {
  const t = useTranslations('composer');
  const common = useTranslations('common');
  const attach = useAttach(topicId);
  const [values, setValues] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorInfo>();
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  if (suggestion.kind !== 'prompt' && suggestion.kind !== 'template') return null;
  const { server } = suggestion;
  const { title, args, ref } = questionsOf(suggestion);
  const given = nonEmptyValues(values);
  const submit = async () => {
    if (busy) return;
    const { signal } = (left.current = new AbortController());
    setBusy(true);
    setError(undefined);
    try {
      if (suggestion.kind === 'template') {
        const { uriTemplate, ...about } = suggestion.template;
        const uri = expandTemplate(uriTemplate, given);
        addResource(topicId, server, { ...about, title: uri, uri });
      } else {
        const { name } = suggestion.prompt;
        await fetchPrompt({ topicId, server, name, values: given, attach, signal });
      }
      onClose();
    } catch (failure) {
      if (signal.aborted) return;
      setError(toErrorInfo(failure));
      setBusy(false);
    }
  };
  return (
    <Form
      data-testid="argument-form"
      aria-label={title}
      className="max-h-[min(26rem,60dvh)] min-h-0 space-y-3 overflow-y-auto p-2"
      onSend={submit}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onClose()}
    >
      <p className="truncate">
        <span className="font-medium">{title}</span>
        <span className="text-muted"> · {server.name}</span>
      </p>
      <ArgumentFields
        serverId={server.id}
        of={ref}
        args={args}
        values={values}
        onChange={setValues}
        autoFocus
      />
      {error && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" variant="primary" disabled={busy} data-testid="use-arguments">
          {busy
            ? common('loading')
            : suggestion.kind === 'prompt'
              ? t('insert')
              : t('attachResource')}
        </Button>
      </div>
    </Form>
  );
}

function questionsOf(suggestion: Extract<Suggestion, { kind: 'prompt' | 'template' }>) {
  if (suggestion.kind === 'prompt') {
    const { name, title, arguments: args } = suggestion.prompt;
    return { title: title ?? `/${name}`, args: args as Argument[], ref: { prompt: name } };
  }
  const { name, title, uriTemplate } = suggestion.template;
  const args = templateVariables(uriTemplate).map((each): Argument => ({
    name: each,
    required: true,
  }));
  return { title: title ?? name, args, ref: { template: uriTemplate } };
}
