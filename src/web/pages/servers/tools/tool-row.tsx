import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import type { ToolAnnotations } from '#shared/vocabulary/tool.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { openerMark } from '../../../ui/focus/question-focus.ts';
import { ClippedText } from '../../../ui/text/clipped-text.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { ChangedTool } from './changed-tool.tsx';
import { OmittedModels } from './omitted-models.tsx';
import { ToolPolicy } from './tool-policy.tsx';
import { TryTool } from './try-tool.tsx';
import type { QuickPolicy } from './use-quick-policy.ts';
import { useToolText } from '../../../state/catalog/use-tool-text.ts';

interface ToolRowProps {
  server: ServerView;
  tool: ToolView;
  policy: QuickPolicy;
  onEnable: (on: boolean) => void;
  /** While several are selected: whether this one is. */
  pick?: { checked: boolean; onChange: (on: boolean) => void } | undefined;
}

/** One tool: what it says of itself, whether it is in use, its rule, and a try. */
export function ToolRow({ server, tool, policy, onEnable, pick }: ToolRowProps): ReactElement {
  const t = useTranslations('servers');
  const text = useToolText(server.id);
  const fixed = server.builtin || server.readOnly === true;
  return (
    <div className="text-sm" {...openerMark}>
      <div className="flex items-start gap-2.5">
        {pick && (
          <label className="-m-2.5 shrink-0 p-2.5">
            <input
              type="checkbox"
              checked={pick.checked}
              aria-label={t('selectTool', { name: tool.name })}
              data-testid="pick-tool"
              className="mt-0.5 block size-4 accent-accent"
              onChange={(event) => pick.onChange(event.target.checked)}
            />
          </label>
        )}
        {!pick && !fixed && (
          <label className="-m-2.5 shrink-0 p-2.5">
            <input
              type="checkbox"
              role="switch"
              checked={tool.enabled}
              aria-label={t('toolEnabled', { name: tool.name })}
              data-testid="tool-enabled"
              className="mt-0.5 block size-4 accent-accent"
              onChange={(event) => onEnable(event.target.checked)}
            />
          </label>
        )}
        <div className={`min-w-0 flex-1 ${tool.enabled ? '' : 'opacity-60'}`}>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-mono text-[0.8125rem] font-medium break-all">
              <VisibleText text={tool.name} />
            </span>
            {tool.title && (
              <span className="min-w-0 break-words text-muted">
                <VisibleText text={text(tool.name, 'title', tool.title)} />
              </span>
            )}
            <Annotations hints={tool.annotations ?? {}} />
          </p>
          {tool.description && (
            <p className="mt-0.5 line-clamp-6 break-words whitespace-pre-wrap text-muted">
              <VisibleText text={text(tool.name, 'description', tool.description)} />
            </p>
          )}
        </div>
      </div>
      <div className={fixed && !pick ? '' : 'pl-[1.625rem]'}>
        <ChangedTool key={tool.definitionHash} serverId={server.id} tool={tool} />
        <OmittedModels tool={tool} />
        <ToolPolicy serverId={server.id} tool={tool} state={policy} />
        <Disclosure summary={t('schema')}>
          {() => <ClippedText text={JSON.stringify(tool.inputSchema, null, 2)} />}
        </Disclosure>
        {tool.enabled && !tool.changed && (
          <Disclosure summary={t('try')}>
            {() => <TryTool server={server} tool={tool} />}
          </Disclosure>
        )}
      </div>
    </div>
  );
}

/** What the server says of the tool, in words. */
function Annotations({ hints }: { hints: ToolAnnotations }) {
  const t = useTranslations('servers');
  const mayDestroy = hints.destructiveHint === true && !hints.readOnlyHint;
  return (
    <>
      {hints.readOnlyHint && <span className="text-xs text-ok">{t('readOnly')}</span>}
      {mayDestroy && <span className="text-xs text-danger">{t('destructive')}</span>}
      {hints.idempotentHint && <span className="text-xs text-muted">{t('idempotent')}</span>}
      {hints.openWorldHint && <span className="text-xs text-muted">{t('openWorld')}</span>}
    </>
  );
}
