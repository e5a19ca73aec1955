import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AssistantDraft } from '#client/api/assistants.ts';
import type { Assistant } from '#shared/vocabulary/message.ts';
import { loadAssistants, useCatalog, usePickableModels } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { changedFields } from '../../form/changed-fields.ts';
import { Parameters } from '../../models/parameters.tsx';
import { ServerChoice } from './server-choice.tsx';
import { useAssistantName } from './use-assistant-name.ts';
import { Form } from '../../../ui/controls/form.tsx';

interface AssistantEditorProps {
  /** Absent: a new one. */
  assistant: Assistant | undefined;
  onClose: () => void;
  onSaved: (assistant: Assistant) => void;
}

/** Makes or changes an assistant: name, prompt, model, servers and parameters. */
export function AssistantEditor(props: AssistantEditorProps): ReactElement {
  const { assistant, onClose, onSaved } = props;
  const t = useTranslations('composer');
  const common = useTranslations('common');
  const count = useCatalog((state) => state.assistants.length);
  const nameOf = useAssistantName();
  const [before] = useState(() => draftOf(assistant, assistant ? nameOf(assistant) : ''));
  const [draft, setDraft] = useState(before);
  const { error, submit } = useSubmit(onClose);
  const run = (action: () => Promise<void>) =>
    submit(async () => {
      await action();
      await loadAssistants();
    });
  const save = async () => {
    const { model, ...rest } = draft;
    onSaved(
      assistant
        ? await api.assistants.update(assistant.id, changedFields(before, draft))
        : await api.assistants.create(model ? draft : rest),
    );
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={assistant ? t('editAssistant', { name: nameOf(assistant) }) : t('newAssistant')}
    >
      <Form className="space-y-4" onSend={() => run(save)}>
        <AssistantFields draft={draft} onChange={setDraft} />
        {error && <ErrorNote error={error} />}
        <div className="dialog-actions">
          {assistant && count > 1 && (
            <Button
              variant="danger"
              className="mr-auto"
              onClick={() => run(() => api.assistants.remove(assistant.id))}
            >
              {common('delete')}
            </Button>
          )}
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {common('save')}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}

function AssistantFields(props: {
  draft: AssistantDraft;
  onChange: (draft: AssistantDraft) => void;
}) {
  const t = useTranslations('composer');
  const { draft } = props;
  const models = usePickableModels(draft.model ?? undefined);
  const set = (patch: Partial<AssistantDraft>) => props.onChange({ ...draft, ...patch });
  return (
    <>
      <Field label={t('name')}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={100}
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
            className="input"
          />
        )}
      </Field>
      <Field label={t('prompt')}>
        {(ids) => (
          <textarea
            {...ids}
            rows={5}
            value={draft.systemPrompt}
            placeholder={t('promptHint')}
            onChange={(event) => set({ systemPrompt: event.target.value })}
            className="input resize-y"
          />
        )}
      </Field>
      <Field label={t('model')}>
        {(ids) => (
          <select
            {...ids}
            value={draft.model ?? ''}
            onChange={(event) => set({ model: event.target.value || null })}
            className="input"
          >
            <option value="">{t('defaultModel')}</option>
            {models.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="rounded-lg border border-line p-1">
        <ServerChoice value={draft.mcp} onChange={(mcp) => set({ mcp })} topicId={null} />
      </div>
      <Parameters
        value={draft.parameters}
        onChange={({ parameters }) => set({ parameters: parameters ?? {} })}
      />
    </>
  );
}

function draftOf(assistant: Assistant | undefined, name: string): AssistantDraft {
  return {
    name,
    systemPrompt: assistant?.systemPrompt ?? '',
    model: assistant?.model ?? null,
    parameters: assistant?.parameters ?? {},
    mcp: assistant?.mcp ?? { enabled: true, mode: 'auto', selectedServers: [] },
  };
}
