import { Plug, Plus, Settings2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ToolSelection } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { reachableServers, selectedServers } from '../../../state/catalog/servers-in-use.ts';
import { useChatSettings } from '../../../state/chat/use-chat-settings.ts';
import { PopOver } from '../../../ui/controls/pop-over.tsx';
import { openPanel, usePanel } from '../commands/commands.ts';
import { PickerButton } from './picker-button.tsx';
import { ServerChoice } from './server-choice.tsx';

/** Chooses which servers' tools the next answers may use. */
export function ServerPicker({ topicId }: { topicId: string | null }): ReactElement {
  const t = useTranslations('composer');
  const open = usePanel(({ panel }) => panel === 'servers');
  const setOpen = (next: boolean) => openPanel('servers', next);
  const { mcp, model, assistant, change } = useChatSettings(topicId);
  const place = { topicId, assistantId: assistant?.id };
  const words = useSelectionWords(place)(mcp);
  const trigger = (
    <PickerButton icon={<Plug />} label={t('servers')} data-testid="server-picker">
      <span className="hidden truncate sm:inline">{words}</span>
    </PickerButton>
  );
  return (
    <PopOver trigger={trigger} label={t('servers')} open={open} onOpenChange={setOpen} width="w-80">
      <ServerChoice
        {...place}
        model={model}
        value={mcp}
        onChange={(next) => change({ mcp: next })}
      />
      <Link href="/servers" className="menu-item mt-1.5 border-t border-line text-muted">
        <Settings2 aria-hidden />
        {t('manageServers')}
      </Link>
      {topicId !== null && (
        <Link
          href={`/servers?add&topic=${encodeURIComponent(topicId)}`}
          className="menu-item text-muted"
          data-testid="add-for-chat"
        >
          <Plus aria-hidden />
          {t('addForChat')}
        </Link>
      )}
    </PopOver>
  );
}

function useSelectionWords(
  place: Parameters<typeof reachableServers>[1],
): (selection: ToolSelection) => string {
  const t = useTranslations('composer');
  const servers = useCatalog((state) => state.servers);
  return (selection) => {
    if (!selection.enabled) return t('serversNone');
    if (selection.mode === 'auto') return t('serversAuto');
    const own = reachableServers(servers, place).filter(({ attachedTo }) => attachedTo);
    const ids = [
      ...selection.selectedServers,
      ...selectedServers(own, selection).map(({ id }) => id),
    ];
    const only = ids.length === 1 && servers.find(({ id }) => id === ids[0]);
    return only ? only.name : t('serverCount', { count: new Set(ids).size });
  };
}
