import { Play } from 'lucide-react';
import { type ReactElement, type RefObject, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { ExactArguments, useUnseenArguments } from '../../../features/exact/exact-arguments.tsx';
import { defaultsOf } from '../../../features/form/form-defaults.ts';
import { focusProblem } from '../../../features/form/schema-form.tsx';
import { misleadingValues } from '../../../features/inputs/form-sight.ts';
import { draftArguments, draftErrors } from '../../../features/tools/arguments/arguments-draft.ts';
import { ArgumentsFields } from '../../../features/tools/arguments/arguments-fields.tsx';
import { CallOutcome } from '../../../features/tools/call/run-again.tsx';
import { useRepeatedCall } from '../../../features/tools/call/use-repeated-call.ts';
import { useToolWords } from '../../../state/catalog/use-tool-text.ts';
import type { ArgumentsDraft } from '../../../state/inbox/arguments-drafts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useOpenedFocus } from '../../../ui/focus/question-focus.ts';
import { UnseenNote } from '../../../ui/text/unseen.tsx';
import { RecentRuns } from './recent-runs.tsx';
import { Form } from '../../../ui/controls/form.tsx';

const noSchema = { type: 'object' };

/** Calls a tool with arguments from a form; who runs it has approved these. Rules that deny it still do. */
export function TryTool({ server, tool }: TryToolProps): ReactElement {
  const form = useRef<HTMLFormElement>(null);
  useOpenedFocus(form);
  const noteId = useId();
  const tried = useTriedCall(server, tool, form);
  const { draft, schema, errors, value, unlike, sightId, target, call } = tried;
  const unseen = useUnseenArguments(sightId, unlike);
  const busy = call?.state === 'running' || call?.state === 'asking';
  const send = () => unseen === undefined && tried.submit();
  return (
    <div className="mt-1 space-y-3" data-testid="try-tool">
      <Form ref={form} noValidate className="space-y-3" onSend={send}>
        <ArgumentsFields
          {...{ draft, schema, errors }}
          disabled={false}
          onChange={tried.setDraft}
        />
        <MisleadingValues id={sightId} values={unlike} />
        {unseen && <UnseenNote id={noteId} rest={unseen} />}
        <RunButton
          disabled={busy || value === undefined || unseen !== undefined}
          noteId={unseen && noteId}
        />
      </Form>
      <div aria-live="polite">{call && <CallOutcome call={call} target={target} />}</div>
      <RecentRuns
        serverId={server.id}
        toolName={tool.name}
        shown={tried.id}
        version={call?.state ?? ''}
      />
    </div>
  );
}

function RunButton({ disabled, noteId }: { disabled: boolean; noteId: string | undefined }) {
  const t = useTranslations('servers');
  return (
    <Button
      type="submit"
      variant="primary"
      disabled={disabled}
      aria-describedby={noteId}
      data-testid="run-tool"
    >
      <Play aria-hidden />
      {t('run')}
    </Button>
  );
}

interface TryToolProps {
  server: ServerView;
  tool: ToolView;
}

/** The arguments as they are filled in, and the call that is made with them. */
function useTriedCall(server: ServerView, tool: ToolView, form: RefObject<HTMLFormElement | null>) {
  const own = isJsonObject(tool.inputSchema) ? tool.inputSchema : noSchema;
  const schema = useToolWords(server.id, tool.name, own);
  const [draft, setDraft] = useState<ArgumentsDraft>(() => ({
    mode: 'form',
    value: defaultsOf(schema),
  }));
  const [tried, setTried] = useState(false);
  const value = draftArguments(draft);
  const names = { serverId: server.id, serverName: server.name, toolName: tool.name };
  const target = { ...names, arguments: value ?? {} };
  const { call, id, run } = useRepeatedCall(target, { approve: 'once' });
  const submit = () => {
    const problems = draftErrors(draft, schema);
    setTried(true);
    if (Object.keys(problems).length === 0) run();
    else focusProblem(form.current, problems);
  };
  return {
    draft,
    setDraft,
    schema,
    value,
    target,
    call,
    id,
    submit,
    errors: tried ? draftErrors(draft, schema) : {},
    unlike: value ? misleadingValues(schema, value) : {},
    sightId: `try ${server.id} ${tool.name}`,
  };
}

/** Pressing the button approves what is sent: what the fields do not show is shown beside them. */
function MisleadingValues({ id, values }: { id: string; values: JsonObject }) {
  const t = useTranslations('approval');
  if (Object.keys(values).length === 0) return null;
  return <ExactArguments toolCallId={id} value={values} title={t('willSend')} />;
}
