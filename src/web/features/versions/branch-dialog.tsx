import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { stepsOf } from '#client/conversation/compare-versions.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { usePickableModels } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { AreaField, SelectField } from '../../ui/controls/labelled.tsx';
import { FormModal } from '../../ui/dialog/form-modal.tsx';

const toolModes = ['recorded', 'live', 'ask'] as const;

/** Another version of an answer from one of its steps, with another model, prompt or source of results. */
export function BranchDialog(props: { message: Message; onClose: () => void }): ReactElement {
  const { message, onClose } = props;
  const t = useTranslations('versions');
  const models = usePickableModels(message.model);
  const [from, setFrom] = useState('1');
  const [model, setModel] = useState('');
  const [tools, setTools] = useState<(typeof toolModes)[number]>('recorded');
  const [systemPrompt, setPrompt] = useState('');
  const save = () =>
    api.messages.regenerate(message.id, {
      from: Number(from),
      tools,
      ...(model !== '' && { model }),
      ...(systemPrompt !== '' && { systemPrompt }),
    });
  return (
    <FormModal
      title={t('branchTitle')}
      description={t('branchText')}
      onClose={onClose}
      save={save}
      saveText={t('branchSave')}
      saveTestId="branch-save"
    >
      <SelectField label={t('from')} options={useSteps(message)} value={from} onChoose={setFrom} />
      <SelectField
        label={t('model')}
        options={[['', t('sameModel')], ...models.map(({ id, name }) => [id, name] as const)]}
        value={model}
        onChoose={setModel}
      />
      <AreaField
        label={t('prompt')}
        placeholder={t('samePrompt')}
        rows={3}
        value={systemPrompt}
        onWrite={setPrompt}
      />
      <SelectField
        label={t('tools')}
        options={toolModes.map((mode) => [mode, t(`calls.${mode}`)] as const)}
        value={tools}
        onChoose={setTools}
      />
    </FormModal>
  );
}

/** Each step with the tools that it calls. */
function useSteps(message: Message): (readonly [string, string])[] {
  const t = useTranslations('versions');
  return Array.from({ length: stepsOf(message) }, (_, round) => {
    const step = round + 1;
    const names = message.blocks.flatMap((block) =>
      block.type === 'tool' && block.round === round ? [block.toolName] : [],
    );
    const text = [t('step', { step }), ...(names.length > 0 ? [names.join(', ')] : [])];
    return [String(step), text.join(' · ')];
  });
}
