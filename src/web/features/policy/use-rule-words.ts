import { useTranslations } from 'use-intl';
import type { ArgumentCondition, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { useCatalog } from '../../state/catalog/catalog.ts';
import { useTopics } from '../../state/chat/topics.ts';

const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const;

/** Gives the conditions of a rule as phrases of the reader's language; none where it meets every call. */
export function useRuleWords(): (rule: PolicyRule) => string[] {
  const t = useTranslations('policy');
  const servers = useCatalog((state) => state.servers);
  const topics = useTopics((state) => state.topics);
  const condition = (one: ArgumentCondition): string => {
    const where = one.pointer === '' ? t('allArguments') : one.pointer;
    if ('host' in one) return t('isHost', { where, value: one.host });
    if ('equals' in one) return t('isEqual', { where, value: JSON.stringify(one.equals) });
    if ('prefix' in one) return t('hasPrefix', { where, value: one.prefix });
    return t('fitsGlob', { where, value: one.glob });
  };
  return (rule) => {
    const { serverId, toolName, topicId, trusted, annotations = {}, arguments: args = [] } = rule;
    const server = servers.find(({ id }) => id === serverId)?.name ?? serverId;
    const topic = topics.find(({ id }) => id === topicId)?.title ?? topicId;
    return [
      ...(toolName === undefined ? [] : [t('ofTool', { name: toolName })]),
      ...(server === undefined ? [] : [t('ofServer', { name: server })]),
      ...hints.flatMap((hint) =>
        annotations[hint] === undefined ? [] : [t(annotations[hint] ? hint : `not.${hint}`)],
      ),
      ...(trusted === undefined ? [] : [t(trusted ? 'trusted' : 'not.trusted')]),
      ...new Set(args.map(condition)),
      ...(rule.argsHash === undefined ? [] : [t('sameArguments')]),
      ...(topic === undefined ? [] : [t('inTopic', { name: topic })]),
    ];
  };
}
