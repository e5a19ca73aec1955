import { ChevronRight } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import type { ToolAnnotations } from '#shared/vocabulary/tool.ts';
import { ActionMark } from '../../../features/policy/rule-line.tsx';
import { useToolText } from '../../../state/catalog/use-tool-text.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { openerMark } from '../../../ui/focus/question-focus.ts';
import { ClippedText } from '../../../ui/text/clipped-text.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { ChangedTool } from './changed-tool.tsx';
import { OmittedModels } from './omitted-models.tsx';
import { ToolPolicy } from './tool-policy.tsx';
import { TryTool } from './try-tool.tsx';
import type { QuickPolicy } from './use-quick-policy.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';

interface ToolRowProps {
  server: ServerView;
  tool: ToolView;
  policy: QuickPolicy;
  onEnable: (on: boolean) => void;
  /** While several are selected: whether this one is. */
  pick?: { checked: boolean; onChange: (on: boolean) => void } | undefined;
}

/** One tool in a line that opens: what it says of itself, whether it is in use, its rule, and a try. */
export function ToolRow(props: ToolRowProps): ReactElement {
  const { server, tool, policy, pick } = props;
  const [open, setOpen] = useState(false);
  const id = useId();
  const fixed = server.builtin || server.readOnly === true;
  return (
    <div className="text-sm" {...openerMark}>
      <div className="flex items-start gap-2.5">
        <RowBox {...props} fixed={fixed} />
        <ToolLine {...{ server, tool, open, id }} onToggle={() => setOpen(!open)} />
      </div>
      <div className={fixed && !pick ? '' : 'pl-[1.625rem]'}>
        <ChangedTool key={tool.definitionHash} serverId={server.id} tool={tool} />
        <OmittedModels tool={tool} />
        {open && (
          <div id={id} className="pb-1">
            <ToolDetails server={server} tool={tool} policy={policy} />
          </div>
        )}
      </div>
    </div>
  );
}

interface ToolLineProps extends Pick<ToolRowProps, 'server' | 'tool'> {
  open: boolean;
  /** Of what it opens. */
  id: string;
  onToggle: () => void;
}

function ToolLine({ server, tool, open, id, onToggle }: ToolLineProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      data-testid="open-tool"
      onClick={onToggle}
      className="group/tool -my-1 flex min-w-0 flex-1 items-start gap-2.5 rounded-md py-1 text-left pointer-coarse:min-h-11"
    >
      <Headline server={server} tool={tool} open={open} />
      {tool.verdict && <ActionMark action={tool.verdict.action} />}
      <ChevronRight
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 text-muted transition-transform group-hover/tool:text-ink ${open ? 'rotate-90' : ''}`}
      />
    </button>
  );
}

/** Whether it is in use; while several are selected, whether this one is. */
function RowBox({ tool, onEnable, pick, fixed }: ToolRowProps & { fixed: boolean }) {
  const t = useTranslations('servers');
  if (!pick && fixed) return null;
  return (
    <label className="-m-2.5 shrink-0 p-2.5">
      {pick ? (
        <Checkbox
          checked={pick.checked}
          aria-label={t('selectTool', { name: tool.name })}
          data-testid="pick-tool"
          className="mt-0.5 block"
          onCheck={pick.onChange}
        />
      ) : (
        <Checkbox
          role="switch"
          checked={tool.enabled}
          aria-label={t('toolEnabled', { name: tool.name })}
          data-testid="tool-enabled"
          className="mt-0.5 block"
          onCheck={onEnable}
        />
      )}
    </label>
  );
}

function ToolDetails({ server, tool, policy }: Pick<ToolRowProps, 'server' | 'tool' | 'policy'>) {
  const t = useTranslations('servers');
  return (
    <>
      <ToolPolicy serverId={server.id} tool={tool} state={policy} />
      <Disclosure summary={t('schema')}>
        {() => <ClippedText text={JSON.stringify(tool.inputSchema, null, 2)} />}
      </Disclosure>
      {tool.enabled && !tool.changed && (
        <Disclosure summary={t('try')}>{() => <TryTool server={server} tool={tool} />}</Disclosure>
      )}
    </>
  );
}

/** Its name, its labels, and what it does: one line of it until more is wanted. */
function Headline({
  server,
  tool,
  open,
}: Pick<ToolRowProps, 'server' | 'tool'> & { open: boolean }) {
  const text = useToolText(server.id);
  return (
    <span className={`block min-w-0 flex-1 ${tool.enabled ? '' : 'opacity-60'}`}>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-mono text-[0.8125rem] font-medium break-all">
          <VisibleText text={tool.name} />
        </span>
        {tool.title && (
          <span className="min-w-0 break-words text-muted">
            <VisibleText text={text(tool.name, 'title', tool.title)} />
          </span>
        )}
        <Annotations hints={tool.annotations ?? {}} />
      </span>
      {tool.description && (
        <span
          className={`mt-0.5 break-words text-muted ${open ? 'line-clamp-6 whitespace-pre-wrap' : 'line-clamp-1'}`}
        >
          <VisibleText text={text(tool.name, 'description', tool.description)} />
        </span>
      )}
    </span>
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
