import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Field } from '../../../ui/controls/field.tsx';
import { SelectField } from '../../../ui/controls/labelled.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';

/** One of the servers; empty for any, where that may be chosen. */
export function ServerPicker(props: {
  value: string;
  onChange: (serverId: string) => void;
  /** The words for "any"; without them one must be chosen. */
  any?: string;
}): ReactElement {
  const t = useTranslations('policy');
  const servers = useCatalog((state) => state.servers);
  const isGone = props.value !== '' && servers.every(({ id }) => id !== props.value);
  return (
    <SelectField
      label={t('server')}
      data-testid="pick-server"
      value={props.value}
      options={[
        ['', props.any ?? t('choose')],
        ...(isGone ? [[props.value, props.value] as const] : []),
        ...servers.map(({ id, name }) => [id, name] as const),
      ]}
      onChoose={props.onChange}
    />
  );
}

/** The tools of a server; none while they cannot be read. */
export function useTools(serverId: string) {
  const { value } = useLoaded(async (signal) => {
    const nothing = { tools: [] };
    const { tools } =
      serverId === '' ? nothing : await api.servers.tools(serverId, signal).catch(() => nothing);
    return { serverId, tools };
  }, serverId);
  return value?.serverId === serverId ? value.tools : [];
}

/** The name of a tool, with those of the server to choose from. */
export function ToolPicker(props: {
  serverId: string;
  value: string;
  onChange: (toolName: string) => void;
  hint?: string;
}): ReactElement {
  const t = useTranslations('policy');
  const list = useId();
  const tools = useTools(props.serverId);
  return (
    <Field label={t('tool')} hint={props.hint}>
      {(ids) => (
        <>
          <input
            {...ids}
            list={list}
            autoComplete="off"
            spellCheck={false}
            className="input font-mono"
            data-testid="pick-tool"
            value={props.value}
            onChange={(event) => props.onChange(event.target.value)}
          />
          <datalist id={list}>
            {tools.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
