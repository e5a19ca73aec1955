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

type Asking = Extract<Suggestion, { kind: 'prompt' | 'template' }>;

interface ArgumentFormProps {
  suggestion: Suggestion;
  topicId: string | null;
  onClose: () => void;
}

/** Asks for the arguments of a prompt or the variables of a template, with the server's proposals. */
export function ArgumentForm(props: ArgumentFormProps): ReactElement | null {
  const { suggestion } = props;
  if (suggestion.kind !== 'prompt' && suggestion.kind !== 'template') return null;
  return <Questions {...props} suggestion={suggestion} />;
}

interface QuestionsProps extends ArgumentFormProps {
  suggestion: Asking;
}

function Questions(props: QuestionsProps) {
  const { suggestion, onClose } = props;
  const t = useTranslations('composer');
  const common = useTranslations('common');
  const [values, setValues] = useState<Record<string, string>>({});
  const { busy, error, submit } = useTaking(props, nonEmptyValues(values));
  const { server } = suggestion;
  const { title, args, ref } = questionsOf(suggestion);
  const ready = suggestion.kind === 'prompt' ? t('insert') : t('attachResource');
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
        {...{ args, values }}
        onChange={setValues}
        autoFocus
      />
      {error && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" variant="primary" disabled={busy} data-testid="use-arguments">
          {busy ? common('loading') : ready}
        </Button>
      </div>
    </Form>
  );
}

/** Takes what was asked for into the draft, and closes; closed before, it takes nothing. */
function useTaking(
  { suggestion, topicId, onClose }: QuestionsProps,
  given: Record<string, string>,
) {
  const attach = useAttach(topicId);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorInfo>();
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  const take = (signal: AbortSignal) => {
    const { server } = suggestion;
    if (suggestion.kind === 'prompt') {
      const { name } = suggestion.prompt;
      return fetchPrompt({ topicId, server, name, values: given, attach, signal });
    }
    const { uriTemplate, ...about } = suggestion.template;
    const uri = expandTemplate(uriTemplate, given);
    return addResource(topicId, server, { ...about, title: uri, uri });
  };
  const submit = async () => {
    if (busy) return;
    const { signal } = (left.current = new AbortController());
    setBusy(true);
    setError(undefined);
    try {
      await take(signal);
      onClose();
    } catch (failure) {
      if (signal.aborted) return;
      setError(toErrorInfo(failure));
      setBusy(false);
    }
  };
  return { busy, error, submit };
}

function questionsOf(suggestion: Asking) {
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
