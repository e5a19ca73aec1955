import { ShieldQuestion } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolBlock } from '#shared/block.ts';
import { showFailure } from '../../state/notices.ts';
import { Button } from '../../ui/button.tsx';
import { ArgumentsEditor } from './arguments-editor.tsx';
import { ArgumentsView } from './arguments-view.tsx';
import { decide, type Decision } from './decide.ts';
import { readArguments } from './read-arguments.ts';

const scopes = ['topic', 'host', 'arguments', 'always'] as const;

/** Asks whether a call may run: what, where, with exactly which arguments, and why it is asked. */
export function ApprovalCard({ block }: { block: ToolBlock }): ReactElement {
  const t = useTranslations('approval');
  const [busy, setBusy] = useState(false);
  const [edited, setEdited] = useState<string>();
  const args = edited === undefined ? block.arguments : readArguments(edited);
  const choose = async (decision: Decision) => {
    setBusy(true);
    try {
      await decide(block, decision, edited === undefined ? undefined : args);
    } catch (error) {
      showFailure(error);
      setBusy(false);
    }
  };
  const host = edited === undefined ? block.approval?.host : undefined;
  const shut = busy || args === undefined;
  return (
    <div
      role="group"
      aria-label={t('title')}
      className="border-t border-line bg-warn-soft/60 px-3.5 py-3"
    >
      <p className="flex items-center gap-2 text-sm font-medium">
        <ShieldQuestion aria-hidden className="size-4 text-warn" />
        {t('title')}
      </p>
      <p className="mt-0.5 pl-6 text-sm text-muted">
        {t('where', { tool: block.toolName, server: block.serverName })}
        {block.approval && ` · ${t('rule', { rule: block.approval.rule })}`}
      </p>
      <div className="mt-3">
        {edited === undefined ? (
          <ArgumentsView value={block.arguments} />
        ) : (
          <ArgumentsEditor text={edited} isValid={args !== undefined} onChange={setEdited} />
        )}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="primary"
          data-testid="approve"
          disabled={shut}
          onClick={() => void choose('once')}
        >
          {edited === undefined ? t('once') : t('onceEdited')}
        </Button>
        {scopes.map((scope) =>
          scope === 'host' && host === undefined ? null : (
            <Button
              key={scope}
              disabled={shut}
              data-testid={`approve-${scope}`}
              onClick={() => void choose(scope)}
            >
              {t(scope, { host: host ?? '' })}
            </Button>
          ),
        )}
        <Button
          disabled={busy}
          data-testid="edit-arguments"
          onClick={() =>
            setEdited(edited === undefined ? JSON.stringify(block.arguments, null, 2) : undefined)
          }
        >
          {edited === undefined ? t('edit') : t('keep')}
        </Button>
        <Button
          variant="danger"
          data-testid="deny"
          disabled={busy}
          className="sm:ml-auto"
          onClick={() => void choose('deny')}
        >
          {t('deny')}
        </Button>
      </div>
    </div>
  );
}
