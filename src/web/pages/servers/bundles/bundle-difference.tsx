import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { BundleDifference } from '#shared/api/bundle-api.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

type Row = [name: string, text: string];

/** What an update changes, before anybody agrees to it. */
export function BundleChanges({ difference }: { difference: BundleDifference }): ReactElement {
  const rows = useRows(difference);
  return (
    <dl
      className="space-y-1.5 rounded-lg bg-sunken px-3.5 py-3 text-sm"
      data-testid="bundle-difference"
    >
      {rows.map(([name, text]) => (
        <div key={name} className="sm:flex sm:gap-3">
          <dt className="shrink-0 text-muted sm:w-32">{name}</dt>
          <dd className="min-w-0 break-all">
            <VisibleText text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Each thing that changes, with what it was and what it becomes. */
function useRows(difference: BundleDifference): Row[] {
  const t = useTranslations('bundles');
  const { version, publisher, command, args, env, settings, files } = difference;
  const moved = ({ before, after }: { before: string; after: string }) => `${before} → ${after}`;
  const list = (name: string, words: string[]): Row[] =>
    words.length > 0 ? [[name, words.join(', ')]] : [];
  return [
    ...(version ? [[t('version'), moved(version)] satisfies Row] : []),
    ...(publisher ? [[t('publisher'), moved(publisher)] satisfies Row] : []),
    ...(command ? [[t('command'), moved(command)] satisfies Row] : []),
    ...(args
      ? [
          [
            t('arguments'),
            moved({ before: JSON.stringify(args.before), after: JSON.stringify(args.after) }),
          ] satisfies Row,
        ]
      : []),
    ...list(t('newVariables'), env.added),
    ...list(t('changedVariables'), env.changed),
    ...list(t('removedVariables'), env.removed),
    ...list(t('newSettings'), settings.added),
    ...list(t('removedSettings'), settings.removed),
    [t('files'), t('fileCounts', files)],
  ];
}
