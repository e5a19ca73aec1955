import { Menu } from '@base-ui/react/menu';
import { ChevronRight, Languages } from 'lucide-react';
import type { ReactElement } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { api } from '../../../state/session/api.ts';
import { MenuPopup } from '../../../ui/controls/menu-popup.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { translationLanguages } from '../../../ui/text/languages.ts';

/** Offers to translate a message, as an entry of its menu; the translation appears in the message itself. */
export function TranslateEntry({ message }: { message: Message }): ReactElement {
  const t = useTranslations('message');
  const locale = useLocale();
  const translate = (language: string) => {
    api.messages.translate(message.id, { language }).catch(showFailure);
  };
  return (
    <Menu.SubmenuRoot>
      <Menu.SubmenuTrigger
        data-testid="translate"
        disabled={message.translating}
        className="menu-item data-[disabled]:opacity-50"
      >
        <Languages />
        {t('translate')}
        <ChevronRight className="ml-auto" />
      </Menu.SubmenuTrigger>
      <MenuPopup
        side="inline-end"
        className="max-h-76 w-48"
        heading={t('translateInto')}
        testId="languages"
      >
        {translationLanguages(locale).map(({ code, name }) => (
          <Menu.Item key={code} className="menu-item" onClick={() => translate(code)}>
            {name}
          </Menu.Item>
        ))}
      </MenuPopup>
    </Menu.SubmenuRoot>
  );
}
