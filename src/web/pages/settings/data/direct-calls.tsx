import { ChevronRight } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { DirectCallPage, DirectCallView } from '#shared/api/tool-call-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { ArgumentsView } from '../../../features/tools/arguments/arguments-view.tsx';
import { CallFailure } from '../../../features/tools/call/call-failure.tsx';
import { CallStateMark } from '../../../features/tools/call/tool-state.tsx';
import { ResultView } from '../../../features/tools/result/result-view.tsx';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDelete } from '../../../ui/dialog/confirm.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';

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
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const pages = [first, ...further];
  const next = pages.at(-1)?.next;
  const more = async (after: string) => {
    setBusy(true);
    try {
      const page = await api.toolCalls.after(after);
      setFurther((shown) => [...shown, page]);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="space-y-3" data-testid="direct-calls">
      <ul className="card divide-y divide-line overflow-hidden">
        {pages
          .flatMap(({ calls }) => calls)
          .map((call) => (
            <CallLine key={call.id} call={call} onDeleted={onDeleted} />
          ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {next !== undefined && (
          <Button disabled={busy} onClick={() => void more(next)}>
            {t('moreCalls')}
          </Button>
        )}
        <Button variant="danger" data-testid="delete-calls" onClick={() => setAsks(true)}>
          {t('deleteCalls')}
        </Button>
      </div>
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
    </div>
  );
}

function CallLine({ call, onDeleted }: { call: DirectCallView; onDeleted: () => void }) {
  const t = useTranslations('tool');
  const format = useFormatter();
  const [open, setOpen] = useState(false);
  const id = useId();
  // Outside of a conversation a call is proposed only while a person has to decide.
  const state = call.state === 'proposed' ? 'asks' : call.state;
  return (
    <li data-testid="direct-call" data-state={call.state}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2.5 px-3.5 py-2.5 text-left text-sm hover:bg-hover"
      >
        <CallStateMark state={state} />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 font-medium break-words">{call.toolName}</span>
          <span className="text-xs text-muted">{t('on', { server: call.serverName })}</span>
        </span>
        <span className="shrink-0 text-right text-xs text-muted tabular-nums">
          {state !== 'succeeded' && <span className="block">{t(state)}</span>}
          {format.dateTime(call.createdAt, { dateStyle: 'medium', timeStyle: 'short' })}
        </span>
        <ChevronRight
          aria-hidden
          className={`size-4 shrink-0 text-muted transition-transform ${open ? 'rotate-90' : ''}`}
        />
      </button>
      {open && (
        <div id={id} className="border-t border-line px-3.5 py-3">
          <CallDetails call={call} onDeleted={onDeleted} />
        </div>
      )}
    </li>
  );
}

function CallDetails({ call, onDeleted }: { call: DirectCallView; onDeleted: () => void }) {
  const t = useTranslations('data');
  const [failed, setFailed] = useState<ErrorInfo>();
  const { value, error } = useLoaded((signal) => api.toolCalls.read(call.id, signal), call.id);
  const remove = async () => {
    try {
      await api.toolCalls.remove(call.id);
      onDeleted();
    } catch (failure) {
      setFailed(toErrorInfo(failure));
    }
  };
  const trouble = error ?? failed;
  return (
    <div className="space-y-4">
      {trouble && <ErrorNote error={trouble} />}
      {!value && !error && <div className="h-16" aria-busy />}
      {value && <ArgumentsView value={value.arguments} />}
      {value?.error && !value.result && <CallFailure call={value} error={value.error} />}
      {value?.result && <ResultView result={value.result} serverId={value.serverId} />}
      {call.endedAt !== undefined && (
        <Button data-testid="delete-call" onClick={() => void remove()}>
          {t('deleteCall')}
        </Button>
      )}
    </div>
  );
}
