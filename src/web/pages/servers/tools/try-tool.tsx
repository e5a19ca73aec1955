import { Play } from 'lucide-react';
import { type ReactElement, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { ExactArguments, useUnseenArguments } from '../../../features/exact/exact-arguments.tsx';
import type { FormErrors } from '../../../features/form/check-form.ts';
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
export function TryTool({ server, tool }: { server: ServerView; tool: ToolView }): ReactElement {
  const t = useTranslations('servers');
  const approval = useTranslations('approval');
  const noteId = useId();
  const own = isJsonObject(tool.inputSchema) ? tool.inputSchema : noSchema;
  const schema = useToolWords(server.id, tool.name, own);
  const form = useRef<HTMLFormElement>(null);
  useOpenedFocus(form);
  const [draft, setDraft] = useState<ArgumentsDraft>(() => ({
    mode: 'form',
    value: defaultsOf(schema),
  }));
  const [tried, setTried] = useState(false);
  const errors: FormErrors = tried ? draftErrors(draft, schema) : {};
  const value = draftArguments(draft);
  const target = {
    serverId: server.id,
    serverName: server.name,
    toolName: tool.name,
    arguments: value ?? {},
  };
  const { call, id, run } = useRepeatedCall(target, { approve: 'once' });
  // Pressing the button approves what is sent: what the fields do not show is shown beside them.
  const unlike = value ? misleadingValues(schema, value) : {};
  const sightId = `try ${server.id} ${tool.name}`;
  const unseen = useUnseenArguments(sightId, unlike);
  const busy = call?.state === 'running' || call?.state === 'asking';
  const submit = () => {
    const found = draftErrors(draft, schema);
    setTried(true);
    if (Object.keys(found).length === 0) run();
    else focusProblem(form.current, found);
  };
  return (
    <div className="mt-1 space-y-3" data-testid="try-tool">
      <Form
        ref={form}
        noValidate
        className="space-y-3"
        onSend={() => unseen === undefined && submit()}
      >
        <ArgumentsFields {...{ draft, schema, errors }} disabled={false} onChange={setDraft} />
        {Object.keys(unlike).length > 0 && (
          <ExactArguments toolCallId={sightId} value={unlike} title={approval('willSend')} />
        )}
        {unseen && <UnseenNote id={noteId} rest={unseen} />}
        <Button
          type="submit"
          variant="primary"
          disabled={busy || value === undefined || unseen !== undefined}
          aria-describedby={unseen && noteId}
          data-testid="run-tool"
        >
          <Play aria-hidden />
          {t('run')}
        </Button>
      </Form>
      <div aria-live="polite">{call && <CallOutcome call={call} target={target} />}</div>
      <RecentRuns
        serverId={server.id}
        toolName={tool.name}
        shown={id}
        version={call?.state ?? ''}
      />
    </div>
  );
}
