import { ChevronRight } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { DirectCallView, ToolCallView } from '#shared/api/tool-call-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ArgumentsView } from '../arguments/arguments-view.tsx';
import { ResultView } from '../result/result-view.tsx';
import { CallStepList } from '../../timeline/call-step-list.tsx';
import { CallFailure } from './call-failure.tsx';
import { CallStateMark } from './tool-state.tsx';

interface DirectCallLineProps {
  call: DirectCallView;
  onDeleted: () => void;
  /** Its tool is named around it. */
  isOfTool?: boolean;
  startsOpen?: boolean;
}

/** A call outside of chats: one line that opens to everything. */
export function DirectCallLine(props: DirectCallLineProps): ReactElement {
  const { call, onDeleted, isOfTool = false, startsOpen = false } = props;
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  return (
    <li data-testid="direct-call" data-state={call.state}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2.5 px-3.5 py-2.5 text-left text-sm hover:bg-hover"
      >
        <CallFacts call={call} isOfTool={isOfTool} />
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

function CallFacts({ call, isOfTool }: { call: DirectCallView; isOfTool: boolean }) {
  const t = useTranslations('tool');
  const format = useFormatter();
  // Outside of a conversation a call is proposed only while a person has to decide.
  const state = call.state === 'proposed' ? 'asks' : call.state;
  return (
    <>
      <CallStateMark state={state} />
      {isOfTool ? (
        <span className="min-w-0 flex-1">{t(state)}</span>
      ) : (
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 font-medium break-words">{call.toolName}</span>
          <span className="text-xs text-muted">{t('on', { server: call.serverName })}</span>
        </span>
      )}
      <span className="shrink-0 text-right text-xs text-muted tabular-nums">
        {state !== 'succeeded' && !isOfTool && <span className="block">{t(state)}</span>}
        {format.dateTime(call.createdAt, { dateStyle: 'medium', timeStyle: 'short' })}
      </span>
    </>
  );
}

function CallDetails({ call, onDeleted }: { call: DirectCallView; onDeleted: () => void }) {
  const t = useTranslations('data');
  const [failed, setFailed] = useState<ErrorInfo>();
  const { value, error } = useLoaded(
    (signal) => api.toolCalls.read(call.id, signal),
    `${call.id} ${call.state}`,
  );
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
      {value && <Steps call={value} />}
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

function Steps({ call }: { call: ToolCallView }) {
  const t = useTranslations('timeline');
  return <Disclosure summary={t('callSteps')}>{() => <CallStepList call={call} />}</Disclosure>;
}
