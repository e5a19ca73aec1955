import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { setPreference, type Theme, themes, usePreferences } from '../../state/page/preferences.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';

const looks = {
  system: { Icon: Monitor, text: 'themeSystem' },
  light: { Icon: Sun, text: 'themeLight' },
  dark: { Icon: Moon, text: 'themeDark' },
} as const;

/** Goes through the themes: as the system, light, dark. */
export function ThemeToggle(): ReactElement {
  const t = useTranslations('settings');
  const theme = usePreferences((state) => state.theme);
  const { Icon, text } = looks[theme];
  const next: Theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <IconButton
      label={`${t('theme')}: ${t(text)}`}
      size="small"
      onClick={() => setPreference({ theme: next })}
    >
      <Icon />
    </IconButton>
  );
}
