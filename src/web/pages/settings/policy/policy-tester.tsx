import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { PolicyDocument, TestedVerdict } from '#shared/vocabulary/policy-api.ts';
import { checkForm, type FormErrors } from '../../../features/form/check-form.ts';
import { defaultsOf } from '../../../features/form/form-defaults.ts';
import { SchemaForm } from '../../../features/form/schema-form.tsx';
import { ActionMark, RuleLine } from '../../../features/policy/rule-line.tsx';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { useNewest } from '../../../ui/hooks/use-newest.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ServerPicker, useTools } from './tool-picker.tsx';
import { Form } from '../../../ui/controls/form.tsx';

/** What would happen if a tool were called so: the verdict and the rule. Nothing runs. */
export function PolicyTester({ policy }: { policy: PolicyDocument }): ReactElement {
  const t = useTranslations('policy');
  const [serverId, setServerId] = useState('');
  const [toolName, setToolName] = useState('');
  const [given, setGiven] = useState<JsonObject>();
  const [tainted, setTainted] = useState(false);
  const [errors, setErrors] = useState<FormErrors>({});
  const { verdict, error, test, clear } = useVerdict();
  const tools = useTools(serverId);
  const schema = tools.find(({ name }) => name === toolName)?.inputSchema;
  const known = isJsonObject(schema) ? schema : undefined;
  const value = given ?? (known ? defaultsOf(known) : {});
  const run = () => {
    const found = known ? checkForm(known, value) : {};
    // What is missing may be missing: the question is about the policy, not about the tool.
    const unread = Object.entries(found).filter(([, { code }]) => code !== 'required');
    setErrors(Object.fromEntries(unread));
    if (unread.length === 0) void test({ serverId, toolName, arguments: value, tainted });
  };
  const choose = (server: string, tool: string) => {
    setServerId(server);
    setToolName(tool);
    setGiven(undefined);
    clear();
  };
  return (
    <Form
      className="space-y-4 rounded-xl border border-line p-3.5"
      data-testid="policy-tester"
      onSend={run}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <ServerPicker value={serverId} onChange={(server) => choose(server, '')} />
        <Field label={t('tool')}>
          {(ids) => (
            <Select
              {...ids}
              data-testid="test-tool"
              value={toolName}
              options={[['', t('choose')], ...tools.map(({ name }) => [name, name] as const)]}
              onChoose={(tool) => choose(serverId, tool)}
            />
          )}
        </Field>
      </div>
      {known && <SchemaForm schema={known} value={value} errors={errors} onChange={setGiven} />}
      <TaintedBox checked={tainted} onChange={setTainted} />
      <Button type="submit" variant="primary" disabled={toolName === ''} data-testid="test-policy">
        {t('test')}
      </Button>
      <div role="status">{verdict && <Verdict verdict={verdict} policy={policy} />}</div>
      {error && <ErrorNote error={error} />}
    </Form>
  );
}

function TaintedBox(props: { checked: boolean; onChange: (isTainted: boolean) => void }) {
  const t = useTranslations('policy');
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={props.checked}
        className="size-4 shrink-0 accent-accent"
        onChange={(event) => props.onChange(event.target.checked)}
      />
      {t('tainted')}
    </label>
  );
}

function useVerdict() {
  const [state, setState] = useState<{ verdict?: TestedVerdict; error?: ErrorInfo }>({});
  const asked = useNewest();
  const test = async (body: Parameters<typeof api.policy.test>[0]) => {
    const isNewest = asked();
    try {
      const verdict = await api.policy.test(body);
      if (isNewest()) setState({ verdict });
    } catch (error) {
      if (isNewest()) setState({ error: toErrorInfo(error) });
    }
  };
  const clear = () => {
    asked();
    setState({});
  };
  return { ...state, test, clear };
}

function Verdict({ verdict, policy }: { verdict: TestedVerdict; policy: PolicyDocument }) {
  const t = useTranslations('policy');
  const approval = useTranslations('approval');
  const rule = policy.rules.find(({ id }) => id !== undefined && id === verdict.ruleId);
  return (
    <div className="space-y-2 rounded-lg bg-sunken px-3.5 py-3 text-sm" data-testid="verdict">
      <p className="flex items-baseline gap-2.5">
        <ActionMark action={verdict.action} />
        <span>{t(`verdicts.${verdict.action}`)}</span>
      </p>
      {rule ? (
        <RuleLine rule={rule} />
      ) : (
        <p className="text-muted">
          {verdict.reason ? approval(`reasons.${verdict.reason}`) : verdict.rule}
        </p>
      )}
    </div>
  );
}
