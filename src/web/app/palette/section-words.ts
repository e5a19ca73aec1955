import { useTranslations } from 'use-intl';
import type { SectionId } from '../../pages/settings/sections.ts';

/** What is in each section of the settings, by which it is found too. */
export function useSectionWords(): Partial<Record<SectionId, string>> {
  const t = useTranslations();
  const join = (...words: string[]) => words.join(', ');
  return {
    appearance: join(t('settings.theme'), t('settings.language'), t('settings.textSize')),
    models: join(t('settings.models'), t('settings.apiKey'), t('settings.defaultModels')),
    approvals: join(t('policy.rules'), t('policy.trustedServers'), t('untrusted.title')),
    usage: join(t('usage.cost'), t('timeline.tokens')),
    data: join(t('data.export'), t('data.import'), t('data.backup'), t('data.delete')),
    host: join(t('settings.webSearch'), t('access.sandbox')),
    account: join(
      t('people.password'),
      t('people.keys'),
      t('people.signIns'),
      t('people.programs'),
    ),
  };
}
