import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { otherTheme } from '../../state/page/other-theme.ts';
import { setPreference, usePreferences } from '../../state/page/preferences.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useMedia } from '../../ui/hooks/use-media.ts';

const looks = {
  system: { Icon: Monitor, text: 'themeSystem' },
  light: { Icon: Sun, text: 'themeLight' },
  dark: { Icon: Moon, text: 'themeDark' },
} as const;

/** Goes from light to dark and back; each press is seen. */
export function ThemeToggle(): ReactElement {
  const t = useTranslations('settings');
  const theme = usePreferences((state) => state.theme);
  const { Icon, text } = looks[theme];
  const isDark = useMedia('(prefers-color-scheme: dark)');
  return (
    <IconButton
      label={`${t('theme')}: ${t(text)}`}
      onClick={() => setPreference({ theme: otherTheme(theme, isDark) })}
    >
      <Icon />
    </IconButton>
  );
}
