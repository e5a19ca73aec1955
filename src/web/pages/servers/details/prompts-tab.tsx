import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PromptMessage } from '#client/api/servers.ts';
import type { PromptView } from '#shared/api/server-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { ArgumentFields, nonEmptyValues } from '../../../features/contents/argument-fields.tsx';
import { PartView } from '../../../features/tools/result/result-view.tsx';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { useNewest } from '../../../ui/hooks/use-newest.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { Form } from '../../../ui/controls/form.tsx';

/** A server's prompts, each with its arguments and what becomes of it. */
export function PromptsTab({ serverId }: { serverId: string }): ReactElement {
  const t = useTranslations('serverContents');
  const common = useTranslations('common');
  const { value, error } = useLoaded((signal) => api.servers.prompts(serverId, signal), serverId);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <p className="text-sm text-muted">{common('loading')}</p>;
  if (value.prompts.length === 0) return <p className="text-sm text-muted">{t('noPrompts')}</p>;
  return (
    <ul className="divide-y divide-line">
      {value.prompts.map((prompt) => (
        <li key={prompt.name} className="py-2.5 text-sm first:pt-0 last:pb-0" data-testid="prompt">
          <p className="font-medium break-words">
            <VisibleText text={prompt.title ?? prompt.name} />
          </p>
          {prompt.description && (
            <p className="break-words text-muted">
              <VisibleText text={prompt.description} />
            </p>
          )}
          <Disclosure summary={t('preview')}>
            {() => <Preview serverId={serverId} prompt={prompt} />}
          </Disclosure>
        </li>
      ))}
    </ul>
  );
}

function Preview({ serverId, prompt }: { serverId: string; prompt: PromptView }) {
  const t = useTranslations('serverContents');
  const [values, setValues] = useState<Record<string, string>>({});
  const { messages, error, show } = useMessages(serverId, prompt.name);
  return (
    <div className="mt-1 space-y-3">
      <Form className="space-y-3 rounded-lg border border-line p-3.5" onSend={() => show(values)}>
        <ArgumentFields
          serverId={serverId}
          of={{ prompt: prompt.name }}
          args={prompt.arguments}
          values={values}
          onChange={setValues}
        />
        <Button type="submit" data-testid="preview-prompt">
          {t('show')}
        </Button>
      </Form>
      {error && <ErrorNote error={error} />}
      <ol aria-live="polite" className="space-y-2.5">
        {messages?.map(({ role, content }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- what was read does not change
          <li key={index} data-testid="prompt-message">
            <p className="mb-1 text-xs font-medium text-muted">{t(`roles.${role}`)}</p>
            <PartView part={content} serverId={serverId} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What becomes of a prompt with the arguments that were filled in last. */
function useMessages(serverId: string, name: string) {
  const [messages, setMessages] = useState<PromptMessage[]>();
  const [error, setError] = useState<ErrorInfo>();
  const asked = useNewest();
  const show = async (values: Record<string, string>) => {
    const isNewest = asked();
    setError(undefined);
    const patience = AbortSignal.timeout(60_000);
    try {
      const filled = nonEmptyValues(values);
      const read = await api.servers.getPrompt(serverId, name, filled, patience);
      if (isNewest()) setMessages(read.messages);
    } catch (failure) {
      if (isNewest()) setError(toErrorInfo(failure));
    }
  };
  return { messages, error, show };
}
