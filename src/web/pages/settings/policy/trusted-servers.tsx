import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { PolicyPartProps } from './policy-rules.tsx';
import { ServerPicker, ToolPicker } from './tool-picker.tsx';
import { Form } from '../../../ui/controls/form.tsx';

/** Which servers are believed in what they say of their tools. */
export function TrustedServers({ policy, busy, change }: PolicyPartProps): ReactElement {
  const t = useTranslations('policy');
  const servers = useCatalog((state) => state.servers).filter(({ builtin }) => !builtin);
  const { trustedServers } = policy;
  const gone = trustedServers.filter((id) => !servers.some((server) => server.id === id));
  const rows = [...servers, ...gone.map((id) => ({ id, name: id }))];
  const toggle = (id: string, on: boolean) => {
    const others = trustedServers.filter((each) => each !== id);
    void change({ trustedServers: on ? [...others, id] : others });
  };
  if (rows.length === 0) return <p className="text-sm text-muted">{t('noServers')}</p>;
  return (
    <ul className="divide-y divide-line rounded-xl border border-line">
      {rows.map(({ id, name }) => (
        <li key={id}>
          <label className="flex min-h-11 items-center gap-2.5 px-3.5 text-sm">
            <input
              type="checkbox"
              disabled={busy}
              data-testid="trust-server"
              checked={trustedServers.includes(id)}
              className="size-4 shrink-0 accent-accent"
              onChange={(event) => toggle(id, event.target.checked)}
            />
            <span className="min-w-0 break-words">{name}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}

/** Tools whose calls may be repeated where it is not known whether they happened. */
export function SafeToRepeat({ policy, busy, change }: PolicyPartProps): ReactElement {
  const t = useTranslations('policy');
  const servers = useCatalog((state) => state.servers);
  const [serverId, setServerId] = useState('');
  const [toolName, setToolName] = useState('');
  const { safeToRepeat } = policy;
  const nameOf = (id: string) => servers.find((server) => server.id === id)?.name ?? id;
  const add = async () => {
    const others = safeToRepeat.filter(
      (one) => one.serverId !== serverId || one.toolName !== toolName,
    );
    if (await change({ safeToRepeat: [...others, { serverId, toolName }] })) setToolName('');
  };
  return (
    <>
      <ul className="divide-y divide-line rounded-xl border border-line">
        {safeToRepeat.length === 0 && (
          <li className="px-3.5 py-3 text-sm text-muted">{t('noRepeat')}</li>
        )}
        {safeToRepeat.map((one, at) => (
          <li
            key={`${one.serverId} ${one.toolName}`}
            className="flex items-center gap-2 px-3.5 py-2 text-sm"
          >
            <span className="mr-auto min-w-0 break-words">
              <span className="font-mono text-[0.8125rem]">{one.toolName}</span>{' '}
              <span className="text-muted">{nameOf(one.serverId)}</span>
            </span>
            <Button
              disabled={busy}
              onClick={() => void change({ safeToRepeat: safeToRepeat.toSpliced(at, 1) })}
            >
              {t('removeMark')}
            </Button>
          </li>
        ))}
      </ul>
      <Form className="mt-3 grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]" onSend={add}>
        <ServerPicker value={serverId} onChange={setServerId} />
        <ToolPicker serverId={serverId} value={toolName} onChange={setToolName} />
        <Button type="submit" disabled={busy || serverId === '' || toolName === ''}>
          {t('mark')}
        </Button>
      </Form>
    </>
  );
}
