import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DirectCallPage } from '#shared/api/tool-call-api.ts';
import { DirectCallLine } from '../../../features/tools/call/direct-call-line.tsx';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDelete } from '../../../ui/dialog/confirm.tsx';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';

/** Calls outside of conversations, newest first: one line each that opens to everything. */
export function DirectCalls(): ReactElement {
  const t = useTranslations('data');
  const [version, setVersion] = useState(0);
  const { value, error } = useLoaded(api.toolCalls.list, String(version));
  const reload = () => setVersion((last) => last + 1);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <div className="h-12" aria-busy />;
  if (value.calls.length === 0) return <p className="text-sm text-muted">{t('noCalls')}</p>;
  return <CallList key={version} first={value} onDeleted={reload} />;
}

function CallList({ first, onDeleted }: { first: DirectCallPage; onDeleted: () => void }) {
  const t = useTranslations('data');
  const [further, setFurther] = useState<DirectCallPage[]>([]);
  const [busy, act] = useBusy();
  const pages = [first, ...further];
  const next = pages.at(-1)?.next;
  const more = (after: string) =>
    act(async () => {
      const page = await api.toolCalls.after(after);
      setFurther((shown) => [...shown, page]);
    });
  return (
    <div className="space-y-3" data-testid="direct-calls">
      <ul className="card divide-y divide-line overflow-hidden">
        {pages
          .flatMap(({ calls }) => calls)
          .map((call) => (
            <DirectCallLine key={call.id} call={call} onDeleted={onDeleted} />
          ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {next !== undefined && (
          <Button disabled={busy} onClick={() => void more(next)}>
            {t('moreCalls')}
          </Button>
        )}
        <DeleteAll onDeleted={onDeleted} />
      </div>
    </div>
  );
}

/** Deletes all calls, once a person has said again that they mean it. */
function DeleteAll({ onDeleted }: { onDeleted: () => void }) {
  const t = useTranslations('data');
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button variant="danger" data-testid="delete-calls" onClick={() => setAsks(true)}>
        {t('deleteCalls')}
      </Button>
      <ConfirmDelete
        open={asks}
        onClose={() => setAsks(false)}
        title={t('deleteCallsTitle')}
        text={t('deleteCallsText')}
        action={async () => {
          await api.toolCalls.removeAll();
          onDeleted();
        }}
      />
    </>
  );
}
