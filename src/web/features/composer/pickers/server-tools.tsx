import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolView } from '#shared/api/api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { useToolText } from '../../../state/catalog/use-tool-text.ts';
import { api } from '../../../state/session/api.ts';
import { inLine, useReason } from '../../../ui/notices/use-reason.ts';

/** The tools of a server by name; they are switched on and off on the page of the servers. */
export function ServerTools({ serverId }: { serverId: string }): ReactElement {
  const t = useTranslations('composer');
  const common = useTranslations('common');
  const reason = useReason();
  const text = useToolText(serverId);
  const [tools, setTools] = useState<ToolView[]>();
  const [error, setError] = useState<ErrorInfo>();
  useEffect(() => {
    const controller = new AbortController();
    api.servers
      .tools(serverId, controller.signal)
      .then((answer) => setTools(answer.tools))
      .catch((failure: unknown) => controller.signal.aborted || setError(toErrorInfo(failure)));
    return () => controller.abort();
  }, [serverId]);
  if (error) return <p className="py-1 text-xs text-danger">{inLine(reason(error))}</p>;
  if (!tools) return <p className="py-1 text-xs text-muted">{common('loading')}</p>;
  if (tools.length === 0) return <p className="py-1 text-xs text-muted">{t('noTools')}</p>;
  return (
    <ul className="py-1 text-xs text-muted">
      {tools.map(({ name, title, description, enabled }) => (
        <li key={name} title={text(name, 'description', description)} className="truncate py-0.5">
          <span className={enabled ? 'text-ink' : 'line-through'}>
            {title ? text(name, 'title', title) : name}
          </span>
          {!enabled && <span> · {t('toolOff')}</span>}
        </li>
      ))}
    </ul>
  );
}
