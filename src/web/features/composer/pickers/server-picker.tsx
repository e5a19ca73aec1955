import { Plug, Settings2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ToolSelection } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
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
  const { mcp, change } = useChatSettings(topicId);
  const words = useSelectionWords()(mcp);
  const trigger = (
    <PickerButton icon={<Plug />} label={t('servers')} data-testid="server-picker">
      <span className="hidden truncate sm:inline">{words}</span>
    </PickerButton>
  );
  return (
    <PopOver trigger={trigger} label={t('servers')} open={open} onOpenChange={setOpen} width="w-80">
      <ServerChoice topicId={topicId} value={mcp} onChange={(next) => change({ mcp: next })} />
      <Link href="/servers" className="menu-item mt-1.5 border-t border-line text-muted">
        <Settings2 aria-hidden />
        {t('manageServers')}
      </Link>
    </PopOver>
  );
}

function useSelectionWords(): (selection: ToolSelection) => string {
  const t = useTranslations('composer');
  const servers = useCatalog((state) => state.servers);
  return ({ enabled, mode, selectedServers }) => {
    if (!enabled) return t('serversNone');
    if (mode === 'auto') return t('serversAuto');
    const [only] = selectedServers;
    if (selectedServers.length === 1) {
      return servers.find(({ id }) => id === only)?.name ?? t('serverCount', { count: 1 });
    }
    return t('serverCount', { count: selectedServers.length });
  };
}
