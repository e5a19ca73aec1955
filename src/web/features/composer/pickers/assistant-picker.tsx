import { Check, Pencil, Plus, Sparkles } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Assistant } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { useChatSettings } from '../../../state/chat/use-chat-settings.ts';
import { PopOver } from '../../../ui/controls/pop-over.tsx';
import { SearchList } from '../../../ui/controls/search-list.tsx';
import { lazyPart, Part } from '../../loading/part.tsx';
import { openPanel, usePanel } from '../commands/commands.ts';
import { PickerButton } from './picker-button.tsx';
import { useAssistantName } from './use-assistant-name.ts';

const AssistantEditor = lazyPart(
  async () => (await import('./assistant-editor.tsx')).AssistantEditor,
);

/** Chooses the assistant of the conversation; also where assistants are made and changed. */
export function AssistantPicker({ topicId }: { topicId: string | null }): ReactElement {
  const t = useTranslations('composer');
  const open = usePanel(({ panel }) => panel === 'assistant');
  const setOpen = (next: boolean) => openPanel('assistant', next);
  const [editing, setEditing] = useState<Assistant | 'new' | null>(null);
  const { assistant, change } = useChatSettings(topicId);
  const nameOf = useAssistantName();
  const choose = (assistantId: string) => {
    change({ assistantId });
    setOpen(false);
  };
  const edit = (which: Assistant | 'new') => {
    setOpen(false);
    setEditing(which);
  };
  const trigger = (
    <PickerButton icon={<Sparkles />} label={t('assistant')} data-testid="assistant-picker">
      <span className="hidden truncate sm:inline">{assistant && nameOf(assistant)}</span>
    </PickerButton>
  );
  return (
    <>
      <PopOver trigger={trigger} label={t('assistant')} open={open} onOpenChange={setOpen}>
        <AssistantList chosen={assistant?.id} onChoose={choose} />
        <EditButtons assistant={assistant} onEdit={edit} />
      </PopOver>
      <Part>
        {editing && (
          <AssistantEditor
            assistant={editing === 'new' ? undefined : editing}
            onClose={() => setEditing(null)}
            onSaved={(saved) => editing === 'new' && change({ assistantId: saved.id })}
          />
        )}
      </Part>
    </>
  );
}

function EditButtons(props: {
  assistant: Assistant | undefined;
  onEdit: (which: Assistant | 'new') => void;
}) {
  const { assistant, onEdit } = props;
  const t = useTranslations('composer');
  const nameOf = useAssistantName();
  return (
    <div className="mt-1.5 border-t border-line pt-1.5 text-muted">
      {assistant && (
        <button type="button" onClick={() => onEdit(assistant)} className="menu-item">
          <Pencil aria-hidden />
          <span className="truncate">{t('editAssistant', { name: nameOf(assistant) })}</span>
        </button>
      )}
      <button type="button" onClick={() => onEdit('new')} className="menu-item">
        <Plus aria-hidden />
        {t('newAssistant')}
      </button>
    </div>
  );
}

function AssistantList(props: { chosen: string | undefined; onChoose: (id: string) => void }) {
  const t = useTranslations('composer');
  const assistants = useCatalog((state) => state.assistants);
  const nameOf = useAssistantName();
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const options = assistants
    .filter((assistant) =>
      `${nameOf(assistant)} ${assistant.systemPrompt}`.toLowerCase().includes(wanted),
    )
    .map((assistant) => ({
      id: assistant.id,
      label: <AssistantRow assistant={assistant} chosen={assistant.id === props.chosen} />,
    }));
  return (
    <SearchList
      label={t('assistant')}
      placeholder={t('filterAssistants')}
      query={query}
      onQuery={setQuery}
      groups={[{ options }]}
      selected={props.chosen}
      onChoose={props.onChoose}
      nothing={t('noAssistants')}
    />
  );
}

function AssistantRow({ assistant, chosen }: { assistant: Assistant; chosen: boolean }) {
  const nameOf = useAssistantName();
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{nameOf(assistant)}</span>
        {assistant.systemPrompt && (
          <span className="block truncate text-xs text-muted">{assistant.systemPrompt}</span>
        )}
      </span>
      <Check aria-hidden className={`text-accent-text ${chosen ? '' : 'invisible'}`} />
    </>
  );
}
