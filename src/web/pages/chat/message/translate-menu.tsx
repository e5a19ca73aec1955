import { Menu } from '@base-ui/react/menu';
import { Languages } from 'lucide-react';
import type { ReactElement } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { api } from '../../../state/session/api.ts';
import { MenuPopup } from '../../../ui/controls/menu-popup.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { translationLanguages } from '../../../ui/text/languages.ts';

/** Offers to translate a message; the translation appears in the message itself. */
export function TranslateMenu({ message }: { message: Message }): ReactElement {
  const t = useTranslations('message');
  const locale = useLocale();
  const translate = (language: string) => {
    api.messages.translate(message.id, { language }).catch(showFailure);
  };
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('translate')}
        title={t('translate')}
        data-testid="translate"
        disabled={message.translating}
        className="icon-button size-7 [&_svg]:size-3.5"
      >
        <Languages />
      </Menu.Trigger>
      <MenuPopup className="max-h-76 w-52" heading={t('translateInto')} testId="languages">
        {translationLanguages(locale).map(({ code, name }) => (
          <Menu.Item key={code} className="menu-item" onClick={() => translate(code)}>
            {name}
          </Menu.Item>
        ))}
      </MenuPopup>
    </Menu.Root>
  );
}
