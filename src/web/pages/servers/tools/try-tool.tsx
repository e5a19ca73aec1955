import { Play } from 'lucide-react';
import { type ReactElement, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { FormErrors } from '../../../features/form/check-form.ts';
import { defaultsOf } from '../../../features/form/form-defaults.ts';
import { focusProblem } from '../../../features/form/schema-form.tsx';
import { draftArguments, draftErrors } from '../../../features/tools/arguments/arguments-draft.ts';
import { ArgumentsFields } from '../../../features/tools/arguments/arguments-fields.tsx';
import { CallOutcome } from '../../../features/tools/call/run-again.tsx';
import { useRepeatedCall } from '../../../features/tools/call/use-repeated-call.ts';
import type { ArgumentsDraft } from '../../../state/inbox/arguments-drafts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useOpenedFocus } from '../../../ui/focus/question-focus.ts';

/** Calls a tool with arguments from a form, under the same policy as in a conversation. */
export function TryTool({ server, tool }: { server: ServerView; tool: ToolView }): ReactElement {
  const t = useTranslations('servers');
  const schema = isJsonObject(tool.inputSchema) ? tool.inputSchema : { type: 'object' };
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
  const { call, run } = useRepeatedCall(target);
  const busy = call?.state === 'running' || call?.state === 'asking';
  const submit = () => {
    const found = draftErrors(draft, schema);
    setTried(true);
    if (Object.keys(found).length === 0) run();
    else focusProblem(form.current, found);
  };
  return (
    <div className="mt-1 space-y-3" data-testid="try-tool">
      <form
        ref={form}
        noValidate
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ArgumentsFields {...{ draft, schema, errors }} disabled={false} onChange={setDraft} />
        <Button
          type="submit"
          variant="primary"
          disabled={busy || value === undefined}
          data-testid="run-tool"
        >
          <Play aria-hidden />
          {t('run')}
        </Button>
      </form>
      <div aria-live="polite">{call && <CallOutcome call={call} target={target} />}</div>
    </div>
  );
}
