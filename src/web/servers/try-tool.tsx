import { Play } from 'lucide-react';
import { type ReactElement, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { draftArguments, draftErrors } from '../blocks/tool/arguments-draft.ts';
import type { ArgumentsDraft } from '../blocks/tool/arguments-drafts.ts';
import { ArgumentsFields } from '../blocks/tool/arguments-fields.tsx';
import { CallOutcome } from '../blocks/tool/run-again.tsx';
import { useRepeatedCall } from '../blocks/tool/use-repeated-call.ts';
import type { FormErrors } from '../form/check-form.ts';
import { defaultsOf } from '../form/form-defaults.ts';
import { focusProblem } from '../form/schema-form.tsx';
import { Button } from '../ui/button.tsx';

/** Calls a tool with arguments from a form, under the same policy as in a conversation. */
export function TryTool({ server, tool }: { server: ServerView; tool: ToolView }): ReactElement {
  const t = useTranslations('servers');
  const schema = isJsonObject(tool.inputSchema) ? tool.inputSchema : { type: 'object' };
  const form = useRef<HTMLFormElement>(null);
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
