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
import { CheckField } from '../../../ui/controls/checkbox.tsx';
import { SelectField } from '../../../ui/controls/labelled.tsx';
import { useNewest } from '../../../ui/hooks/use-newest.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ServerPicker, useTools } from './tool-picker.tsx';
import { Form } from '../../../ui/controls/form.tsx';

interface TriedCall {
  serverId: string;
  toolName: string;
  /** The arguments, once they were changed. */
  given?: JsonObject;
}

const noCall = { serverId: '', toolName: '' };

/** What would happen if a tool were called so: the verdict and the rule. Nothing runs. */
export function PolicyTester({ policy }: { policy: PolicyDocument }): ReactElement {
  const t = useTranslations('policy');
  const { call, tools, schema, value, errors, verdict, error, choose, setGiven, run } = useTried();
  const [tainted, setTainted] = useState(false);
  return (
    <Form
      className="space-y-4 rounded-xl border border-line p-3.5"
      data-testid="policy-tester"
      onSend={() => run(tainted)}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <ServerPicker value={call.serverId} onChange={(server) => choose(server, '')} />
        <SelectField
          label={t('tool')}
          data-testid="test-tool"
          value={call.toolName}
          options={[['', t('choose')], ...tools.map(({ name }) => [name, name] as const)]}
          onChoose={(tool) => choose(call.serverId, tool)}
        />
      </div>
      {schema && <SchemaForm schema={schema} value={value} errors={errors} onChange={setGiven} />}
      <CheckField label={t('tainted')} checked={tainted} onCheck={setTainted} className="min-h-9" />
      <Button
        type="submit"
        variant="primary"
        disabled={call.toolName === ''}
        data-testid="test-policy"
      >
        {t('test')}
      </Button>
      <div role="status">{verdict && <Verdict verdict={verdict} policy={policy} />}</div>
      {error && <ErrorNote error={error} />}
    </Form>
  );
}

/** The call that is made up, and what the policy says of it. */
function useTried() {
  const [call, setCall] = useState<TriedCall>(noCall);
  const [errors, setErrors] = useState<FormErrors>({});
  const { test, clear, ...outcome } = useVerdict();
  const { serverId, toolName } = call;
  const tools = useTools(serverId);
  const input = tools.find(({ name }) => name === toolName)?.inputSchema;
  const schema = isJsonObject(input) ? input : undefined;
  const value = call.given ?? (schema ? defaultsOf(schema) : {});
  const run = (tainted: boolean) => {
    const unread = schema ? unreadFields(schema, value) : {};
    setErrors(unread);
    if (Object.keys(unread).length === 0)
      void test({ serverId, toolName, arguments: value, tainted });
  };
  const choose = (server: string, tool: string) => {
    setCall({ serverId: server, toolName: tool });
    clear();
  };
  const setGiven = (given: JsonObject) => setCall({ serverId, toolName, given });
  return { call, tools, schema, value, errors, ...outcome, choose, setGiven, run };
}

/** What is missing may be missing: the question is about the policy, not about the tool. */
function unreadFields(schema: JsonObject, value: JsonObject): FormErrors {
  const all = Object.entries(checkForm(schema, value));
  return Object.fromEntries(all.filter(([, { code }]) => code !== 'required'));
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
