import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import type { AskReason } from '#shared/vocabulary/tool.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { useOriginWords } from '../../policy/use-origin-words.ts';
import { useRuleWords } from '../../policy/use-rule-words.ts';

/** Where a call goes: its server, and what is run or reached for it. */
export function ServerPlace({ serverId }: { serverId: string }): ReactElement | null {
  const t = useTranslations('approval');
  const server = useCatalog((state) => state.servers.find(({ id }) => id === serverId));
  if (!server) return null;
  if (server.builtin) return <span>{t('builtin')}</span>;
  return (
    <span data-testid="server-place" className="font-mono text-[0.8125rem] break-all">
      <VisibleText text={placeOf(server.config as Partial<ServerConfig>)} />
    </span>
  );
}

/** Words with spaces are quoted, so that one cannot pass for two. */
function placeOf(config: Partial<ServerConfig>): string {
  if (config.type === 'stdio') {
    const words = [config.command ?? '', ...(config.args ?? [])];
    return words.map((word) => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  }
  return 'baseUrl' in config ? (config.baseUrl ?? '') : '';
}

/** Why a call asks, in the reader's language: a general reason, or the rule with its conditions. */
export function ApprovalReason({ why }: { why: AskReason }): ReactElement {
  const t = useTranslations('approval');
  const conditions = useRuleWords();
  const said = useTranslations('untrusted');
  const sources = useOriginWords();
  const { rule, reason, byRule, origins = [] } = why;
  if (origins.length > 0)
    return <VisibleText text={said('asked', { sources: sources(origins) })} />;
  if (reason) return <>{t(`reasons.${reason}`)}</>;
  if (!byRule) return <>{rule}</>;
  const words = byRule.note ?? (conditions(byRule).join(' · ') || t('everyCall'));
  return <>{t('yourRule', { rule: words })}</>;
}
