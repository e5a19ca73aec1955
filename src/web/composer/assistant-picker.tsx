import { Check, Pencil, Plus, Sparkles } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Assistant } from '#shared/message.ts';
import { useCatalog } from '../state/catalog.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { PopOver } from '../ui/pop-over.tsx';
import { AssistantEditor } from './assistant-editor.tsx';
import { PickerButton } from './picker-button.tsx';
import { useChatSettings } from './use-chat-settings.ts';

/** Chooses the assistant of the conversation; also where assistants are made and changed. */
export function AssistantPicker({ topicId }: { topicId: string | null }): ReactElement {
  const t = useTranslations('composer');
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState<Assistant | 'new' | null>(null);
  const { assistant, change } = useChatSettings(topicId);
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
      <span className="hidden truncate sm:inline">{assistant?.name}</span>
    </PickerButton>
  );
  return (
    <>
      <PopOver trigger={trigger} label={t('assistant')} open={open} onOpenChange={setOpen}>
        <AssistantList chosen={assistant?.id} onChoose={choose} onEdit={edit} />
        <button
          type="button"
          onClick={() => edit('new')}
          className="menu-item mt-1.5 border-t border-line text-muted"
        >
          <Plus aria-hidden />
          {t('newAssistant')}
        </button>
      </PopOver>
      {editing && (
        <AssistantEditor
          assistant={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(null)}
          onSaved={(saved) => editing === 'new' && change({ assistantId: saved.id })}
        />
      )}
    </>
  );
}

function AssistantList(props: {
  chosen: string | undefined;
  onChoose: (id: string) => void;
  onEdit: (assistant: Assistant) => void;
}) {
  const t = useTranslations('composer');
  const assistants = useCatalog((state) => state.assistants);
  return (
    <ul className="max-h-72 overflow-y-auto">
      {assistants.map((assistant) => (
        <li key={assistant.id} className="flex items-center gap-1">
          <button
            type="button"
            aria-pressed={assistant.id === props.chosen}
            onClick={() => props.onChoose(assistant.id)}
            className="menu-item min-w-0 flex-1"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{assistant.name}</span>
              {assistant.systemPrompt && (
                <span className="block truncate text-xs text-muted">{assistant.systemPrompt}</span>
              )}
            </span>
            {assistant.id === props.chosen && <Check aria-hidden className="text-accent-text" />}
          </button>
          <IconButton
            label={t('editAssistant', { name: assistant.name })}
            size="small"
            onClick={() => props.onEdit(assistant)}
          >
            <Pencil />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
