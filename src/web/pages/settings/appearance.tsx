import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import {
  localeNames,
  locales,
  type Locale,
  sendKeys,
  type SendKey,
  setPreference,
  type TextSize,
  textSizes,
  type Theme,
  themes,
  usePreferences,
} from '../../state/page/preferences.ts';
import { SelectField } from '../../ui/controls/labelled.tsx';

const themeText = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;
const sendText = { enter: 'sendEnter', modifier: 'sendModifier' } as const;
const sizeText = {
  small: 'textSmall',
  normal: 'textNormal',
  large: 'textLarge',
  larger: 'textLarger',
} as const;

/** Language, looks and keys of this browser. */
export function Appearance(): ReactElement {
  const t = useTranslations('settings');
  const { theme, locale, sendKey, textSize } = usePreferences();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Choice<Locale>
        label={t('language')}
        testid="language"
        value={locale}
        choices={locales}
        text={(one) => localeNames[one]}
        onChoose={(one) => setPreference({ locale: one })}
      />
      <Choice<Theme>
        label={t('theme')}
        testid="theme"
        value={theme}
        choices={themes}
        text={(one) => t(themeText[one])}
        onChoose={(one) => setPreference({ theme: one })}
      />
      <Choice<TextSize>
        label={t('textSize')}
        testid="text-size"
        value={textSize}
        choices={textSizes}
        text={(one) => t(sizeText[one])}
        onChoose={(one) => setPreference({ textSize: one })}
      />
      <Choice<SendKey>
        label={t('sendKey')}
        hint={t('sendKeyHint')}
        testid="send-key"
        value={sendKey}
        choices={sendKeys}
        text={(one) => t(sendText[one])}
        onChoose={(one) => setPreference({ sendKey: one })}
      />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  hint?: string;
  testid: string;
  value: T;
  choices: readonly T[];
  text: (choice: T) => string;
  onChoose: (choice: T) => void;
}

function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, hint, testid, value, choices, text, onChoose } = props;
  return (
    <SelectField
      label={label}
      hint={hint}
      data-testid={testid}
      value={value}
      options={choices.map((one) => [one, text(one)] as const)}
      onChoose={onChoose}
    />
  );
}
