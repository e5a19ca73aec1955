import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AssistantDraft } from '#client/api/assistants.ts';
import type { Assistant } from '#shared/vocabulary/message.ts';
import { loadAssistants, useCatalog, usePickableModels } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DialogActions } from '../../../ui/dialog/form-modal.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { changedFields } from '../../form/changed-fields.ts';
import { Parameters } from '../../models/parameters.tsx';
import { ServerChoice } from './server-choice.tsx';
import { useAssistantName } from './use-assistant-name.ts';
import { Form } from '../../../ui/controls/form.tsx';
import { AreaField, InputField, SelectField } from '../../../ui/controls/labelled.tsx';

interface AssistantEditorProps {
  /** Absent: a new one. */
  assistant: Assistant | undefined;
  onClose: () => void;
  onSaved: (assistant: Assistant) => void;
}

/** Makes or changes an assistant: name, prompt, model, servers and parameters. */
export function AssistantEditor(props: AssistantEditorProps): ReactElement {
  const { assistant, onClose } = props;
  const t = useTranslations('composer');
  const common = useTranslations('common');
  const nameOf = useAssistantName();
  const [before] = useState(() => draftOf(assistant, assistant ? nameOf(assistant) : ''));
  const [draft, setDraft] = useState(before);
  const { error, save, remove } = useActions(props, before, draft);
  const title = assistant ? t('editAssistant', { name: nameOf(assistant) }) : t('newAssistant');
  return (
    <Modal open onClose={onClose} title={title}>
      <Form className="space-y-4" onSend={save}>
        <AssistantFields assistantId={assistant?.id} draft={draft} onChange={setDraft} />
        {error && <ErrorNote error={error} />}
        <DialogActions onClose={onClose}>
          {remove && (
            <Button variant="danger" className="mr-auto" onClick={remove}>
              {common('delete')}
            </Button>
          )}
        </DialogActions>
      </Form>
    </Modal>
  );
}

/** What is done with the draft; the last assistant cannot be deleted. */
function useActions(
  { assistant, onClose, onSaved }: AssistantEditorProps,
  before: AssistantDraft,
  draft: AssistantDraft,
) {
  const count = useCatalog((state) => state.assistants.length);
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
  const remove = assistant && count > 1 && (() => run(() => api.assistants.remove(assistant.id)));
  return { error, save: () => run(save), remove };
}

function AssistantFields(props: {
  assistantId: string | undefined;
  draft: AssistantDraft;
  onChange: (draft: AssistantDraft) => void;
}) {
  const t = useTranslations('composer');
  const { draft } = props;
  const defaultModel = useCatalog((state) => state.defaultModel);
  const set = (patch: Partial<AssistantDraft>) => props.onChange({ ...draft, ...patch });
  return (
    <>
      <InputField
        label={t('name')}
        required
        maxLength={100}
        value={draft.name}
        onWrite={(text) => set({ name: text })}
      />
      <AreaField
        label={t('prompt')}
        rows={5}
        value={draft.systemPrompt}
        placeholder={t('promptHint')}
        onWrite={(text) => set({ systemPrompt: text })}
        className="resize-y"
      />
      <ModelField value={draft.model ?? ''} onChoose={(model) => set({ model: model || null })} />
      <div>
        <p className="mb-1.5 text-sm font-medium">{t('servers')}</p>
        <div className="rounded-lg border border-line p-1">
          <ServerChoice
            topicId={null}
            assistantId={props.assistantId}
            model={draft.model || defaultModel}
            value={draft.mcp}
            onChange={(mcp) => set({ mcp })}
          />
        </div>
      </div>
      <Parameters
        value={draft.parameters}
        onChange={({ parameters }) => set({ parameters: parameters ?? {} })}
      />
    </>
  );
}

function ModelField(props: { value: string; onChoose: (model: string) => void }) {
  const t = useTranslations('composer');
  const models = usePickableModels(props.value || undefined);
  const options = models.map(({ id, name }) => [id, name] as const);
  return (
    <SelectField label={t('model')} {...props} options={[['', t('defaultModel')], ...options]} />
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
