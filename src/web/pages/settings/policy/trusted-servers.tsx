import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { PolicyPartProps } from './policy-rules.tsx';
import { ServerPicker, ToolPicker } from './tool-picker.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';

/** Which servers are believed in what they say of their tools. */
export function TrustedServers({ policy, busy, change }: PolicyPartProps): ReactElement {
  const t = useTranslations('policy');
  const isLoaded = useCatalog((state) => state.serversLoaded);
  const servers = useCatalog((state) => state.servers).filter(({ builtin }) => !builtin);
  const { trustedServers } = policy;
  const gone = trustedServers.filter((id) => !servers.some((server) => server.id === id));
  const rows = [...servers, ...gone.map((id) => ({ id, name: id }))];
  const toggle = (id: string, on: boolean) => {
    const others = trustedServers.filter((each) => each !== id);
    void change({ trustedServers: on ? [...others, id] : others });
  };
  // Of servers that were not read yet, nothing is said.
  if (!isLoaded) return <div className="h-11" aria-busy />;
  if (rows.length === 0)
    return (
      <p className="rounded-xl border border-line px-3.5 py-3 text-sm text-muted">
        {t('noServers')}
      </p>
    );
  return (
    <ul className="divide-y divide-line rounded-xl border border-line">
      {rows.map(({ id, name }) => (
        <li key={id}>
          <label className="flex min-h-11 items-center gap-2.5 px-3.5 text-sm">
            <Checkbox
              disabled={busy}
              data-testid="trust-server"
              checked={trustedServers.includes(id)}
              onCheck={(on) => toggle(id, on)}
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
  const [serverId, setServerId] = useState('');
  const [toolName, setToolName] = useState('');
  const { safeToRepeat } = policy;
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
          <MarkedTool
            key={`${one.serverId} ${one.toolName}`}
            {...one}
            busy={busy}
            onRemove={() => void change({ safeToRepeat: safeToRepeat.toSpliced(at, 1) })}
          />
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

interface MarkedToolProps {
  serverId: string;
  toolName: string;
  busy: boolean;
  onRemove: () => void;
}

function MarkedTool({ serverId, toolName, busy, onRemove }: MarkedToolProps) {
  const t = useTranslations('policy');
  const server = useCatalog(({ servers }) => servers.find(({ id }) => id === serverId));
  return (
    <li className="flex items-center gap-2 px-3.5 py-2 text-sm">
      <span className="mr-auto min-w-0 break-words">
        <span className="font-mono text-[0.8125rem]">{toolName}</span>{' '}
        <span className="text-muted">{server?.name ?? serverId}</span>
      </span>
      <Button disabled={busy} onClick={onRemove}>
        {t('removeMark')}
      </Button>
    </li>
  );
}
