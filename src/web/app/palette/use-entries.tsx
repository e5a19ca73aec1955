import { Cpu, MessageSquare, Server, Settings2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { plainName } from '../../features/models/model-list.tsx';
import { offeredSections } from '../../pages/settings/sections.ts';
import { useCatalog, usePickableModels } from '../../state/catalog/catalog.ts';
import { useNewChat } from '../../state/chat/new-chat.ts';
import { useTopics } from '../../state/chat/topics.ts';
import { useChatSettings } from '../../state/chat/use-chat-settings.ts';
import {
  localeNames,
  locales,
  setPreference,
  textSizes,
  themes,
} from '../../state/page/preferences.ts';
import { useIsAdmin } from '../../state/session/session.ts';
import type { PaletteEntry } from './entry.ts';
import { useSectionWords } from './section-words.ts';
import { useCommands } from './use-commands.tsx';

/** Everything there is to choose, but for what only the host can find. `topicId` is the open chat. */
export function useEntries(topicId: string | null, isChat: boolean): PaletteEntry[] {
  return [
    ...useChats(topicId),
    ...useCommands(topicId),
    ...useSettings(),
    ...useModels(topicId, isChat),
    ...useServers(),
  ];
}

/** All but the one that is open. */
function useChats(open: string | null): PaletteEntry[] {
  const t = useTranslations('sidebar');
  const [, navigate] = useLocation();
  const topics = useTopics((state) => state.topics);
  const others = topics.filter(({ id }) => id !== open);
  return others.map(({ id, title }) => ({
    id: `chat ${id}`,
    label: title || t('untitled'),
    group: 'chats',
    icon: <MessageSquare />,
    run: () => navigate(`/t/${id}`),
  }));
}

const themeText = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;
const sizeText = {
  small: 'textSmall',
  normal: 'textNormal',
  large: 'textLarge',
  larger: 'textLarger',
} as const;

function useSettings(): PaletteEntry[] {
  const t = useTranslations('palette');
  const settings = useTranslations('settings');
  const [, navigate] = useLocation();
  const isAdmin = useIsAdmin();
  const words = useSectionWords();
  const entry = (id: string, label: string, run: () => void): PaletteEntry => ({
    id,
    label,
    run,
    group: 'settings',
    icon: <Settings2 />,
  });
  return [
    ...themes.map((theme) =>
      entry(`theme ${theme}`, t('themeIs', { name: settings(themeText[theme]) }), () =>
        setPreference({ theme }),
      ),
    ),
    ...locales.map((locale) =>
      entry(`language ${locale}`, t('languageIs', { name: localeNames[locale] }), () =>
        setPreference({ locale }),
      ),
    ),
    ...textSizes.map((textSize) =>
      entry(`text size ${textSize}`, t('textSizeIs', { name: settings(sizeText[textSize]) }), () =>
        setPreference({ textSize }),
      ),
    ),
    ...offeredSections(isAdmin).map(({ id, title }) => ({
      ...entry(`settings ${id}`, t('settingsPage', { name: settings(title) }), () =>
        navigate(`/settings/${id}`),
      ),
      words: words[id],
    })),
  ];
}

function useModels(topicId: string | null, isChat: boolean): PaletteEntry[] {
  const [, navigate] = useLocation();
  const settings = useChatSettings(topicId);
  const models = usePickableModels(settings.model);
  const choose = (model: string) => {
    if (isChat) return settings.change({ model });
    // Anywhere else it is meant for a new chat.
    useNewChat.setState(({ choice }) => ({ choice: { ...choice, model } }));
    navigate('/');
  };
  return models.map((model) => ({
    id: `model ${model.id}`,
    label: plainName(model),
    detail: model.providerName,
    group: 'models',
    icon: <Cpu />,
    run: () => choose(model.id),
  }));
}

function useServers(): PaletteEntry[] {
  const [, navigate] = useLocation();
  const servers = useCatalog((state) => state.servers);
  return servers.map(({ id, name }) => ({
    id: `server ${id}`,
    label: name,
    group: 'servers',
    icon: <Server />,
    run: () => navigate(`/servers?show=${encodeURIComponent(id)}`),
  }));
}
