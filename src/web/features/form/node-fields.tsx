import { Plus, Trash2 } from 'lucide-react';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isJsonObject, type Json, type JsonObject, pointerTo } from '#shared/vocabulary/json.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import type { FormErrors } from './check-form.ts';
import { ChoiceField, ChoicesField } from './choice-fields.tsx';
import { GroupFrame } from './field-frame.tsx';
import { fitsNode } from './fits-node.ts';
import { startOf } from './form-defaults.ts';
import type { FormNode, ListNode, ObjectNode } from './form-node.ts';
import { JsonField } from './json-field.tsx';
import { BooleanField, NumberField, TextField, type ValueProps } from './simple-fields.tsx';
import { toUnread, unreadText } from './unread.ts';

interface NodeProps {
  node: FormNode;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  at: string;
  label: string;
  required: boolean;
  errors: FormErrors;
  disabled: boolean;
  actions?: ReactNode;
}

interface ObjectFieldsProps {
  node: ObjectNode;
  value: JsonObject;
  onChange: (value: JsonObject) => void;
  at: string;
  errors: FormErrors;
  disabled: boolean;
}

/** The fields of an object, and what it holds besides them as JSON. */
export function ObjectFields(props: ObjectFieldsProps): ReactElement {
  const { node, value, onChange, at, errors, disabled } = props;
  const known = new Set(node.properties.map(({ name }) => name));
  const others = Object.keys(value).filter((name) => !known.has(name));
  const set = (name: string, next: Json | undefined) => {
    const { [name]: _, ...rest } = value;
    // In place where it was there already, so that JSON of the same value keeps its order.
    if (next === undefined) onChange(rest);
    else onChange({ ...value, [name]: next });
  };
  const field = (name: string, each: FormNode, required: boolean) => (
    <NodeField
      key={name}
      node={each}
      value={Object.hasOwn(value, name) ? value[name] : undefined}
      onChange={(next) => set(name, next)}
      at={pointerTo(at, name)}
      label={each.title ?? name}
      required={required}
      errors={errors}
      disabled={disabled}
    />
  );
  return (
    <div className="space-y-4">
      {node.properties.map((each) => field(each.name, each.node, each.required))}
      {others.map((name) => field(name, anyJson, false))}
    </div>
  );
}

const anyJson: FormNode = { kind: 'json', types: [], nullable: false };

/** The field of a node; a value it could not show unchanged is shown as JSON. */
function NodeField({ errors, ...given }: NodeProps): ReactElement {
  const unread = unreadText(given.value);
  const props = unread === '' ? { ...given, value: undefined } : given;
  const { node, value, at } = props;
  const problem = errors[at];
  const shows = unread ? node.kind === 'number' : value === undefined || fitsNode(node, value);
  if (!shows || node.kind === 'json') return <JsonField {...props} problem={problem} />;
  const isNull = value === null;
  const withNull: ValueProps = {
    ...props,
    problem,
    disabled: props.disabled || isNull,
    actions: (
      <>
        {node.nullable && <NullToggle {...props} />}
        {props.actions}
      </>
    ),
  };
  return <KindField {...withNull} errors={errors} />;
}

function KindField({ errors, ...props }: ValueProps & { errors: FormErrors }) {
  const { node } = props;
  switch (node.kind) {
    case 'text':
      return <TextField {...props} node={node} />;
    case 'number':
      return <NumberField {...props} node={node} />;
    case 'boolean':
      return <BooleanField {...props} />;
    case 'choice':
      return <ChoiceField {...props} node={node} />;
    case 'choices':
      return <ChoicesField {...props} node={node} />;
    case 'list':
      return <ListField {...props} node={node} errors={errors} />;
    case 'object':
      return <ObjectField {...props} node={node} errors={errors} />;
    case 'json':
      return <JsonField {...props} />;
  }
}

/** Gives the value null, which is not the same as none. */
function NullToggle(props: Omit<NodeProps, 'errors'>) {
  const t = useTranslations('form');
  const isNull = props.value === null;
  return (
    <button
      type="button"
      aria-pressed={isNull}
      aria-label={t('nullFor', { label: props.label })}
      disabled={props.disabled}
      onClick={() =>
        props.onChange(isNull ? (props.required ? startOf(props.node) : undefined) : null)
      }
      className="rounded-md border border-line px-1.5 py-0.5 font-mono text-xs text-muted hover:bg-hover aria-pressed:border-accent-text aria-pressed:text-accent-text"
    >
      null
    </button>
  );
}

type GroupProps<N> = ValueProps<N> & { errors: FormErrors };

function ObjectField({ errors, ...props }: GroupProps<ObjectNode>) {
  const t = useTranslations('form');
  const { node, value, onChange, required, disabled, at, label } = props;
  if (!isJsonObject(value))
    return (
      <GroupFrame {...props}>
        {value === undefined && (
          <Button disabled={disabled} onClick={() => onChange(startOf(node) ?? {})}>
            <Plus aria-hidden /> {t('addNamed', { label })}
          </Button>
        )}
      </GroupFrame>
    );
  const remove = !required && (
    <RemoveButton label={label} disabled={disabled} onClick={() => onChange(undefined)} />
  );
  return (
    <GroupFrame
      {...props}
      actions={
        <>
          {props.actions}
          {remove}
        </>
      }
    >
      <div className="border-l-2 border-line pl-3.5">
        <ObjectFields {...{ node, value, onChange, at, errors, disabled }} />
      </div>
    </GroupFrame>
  );
}

function ListField({ errors, ...props }: GroupProps<ListNode>) {
  const t = useTranslations('form');
  const { node, value, onChange, required, disabled, label } = props;
  const items = Array.isArray(value) ? value : [];
  const put = (next: Json[]) => onChange(next.length === 0 && !required ? undefined : next);
  const full = node.most !== undefined && items.length >= node.most;
  return (
    <GroupFrame {...props}>
      <ListItems {...props} errors={errors} items={items} onItems={put} />
      <Button
        className={items.length === 0 ? '' : 'mt-3'}
        disabled={disabled || full}
        onClick={() => put([...items, startOf(node.item) ?? emptyItem(node.item)])}
      >
        <Plus aria-hidden /> {t('addTo', { label })}
      </Button>
    </GroupFrame>
  );
}

interface ListItemsProps extends GroupProps<ListNode> {
  items: Json[];
  onItems: (items: Json[]) => void;
}

function ListItems({ node, items, onItems, at, label, errors, disabled }: ListItemsProps) {
  const t = useTranslations('form');
  const keys = useRowKeys(items.length);
  const remove = (index: number) => {
    keys.remove(index);
    onItems(items.toSpliced(index, 1));
  };
  return (
    <ol className="space-y-3">
      {items.map((item, index) => (
        <li key={keys.list[index]} className="min-w-0">
          <NodeField
            {...{ node: node.item, value: item, errors, disabled }}
            onChange={(next = emptyItem(node.item)) => onItems(items.with(index, next))}
            at={pointerTo(at, index)}
            label={t('item', { label: node.item.title ?? label, n: index + 1 })}
            required
            actions={
              <RemoveButton
                label={`${label} ${index + 1}`}
                disabled={disabled}
                onClick={() => remove(index)}
              />
            }
          />
        </li>
      ))}
    </ol>
  );
}

/** What a new row of a list holds until something is typed. */
function emptyItem(node: FormNode): Json {
  return node.kind === 'text' ? '' : toUnread('');
}

/** Names for rows that stay with them when one before is removed. */
function useRowKeys(count: number): { list: number[]; remove: (index: number) => void } {
  const [keys, setKeys] = useState<{ list: number[]; next: number }>({ list: [], next: 0 });
  if (keys.list.length !== count) {
    const added = Math.max(0, count - keys.list.length);
    const fresh = Array.from({ length: added }, (_, index) => keys.next + index);
    setKeys({ list: [...keys.list, ...fresh].slice(0, count), next: keys.next + added });
  }
  return {
    list: keys.list,
    remove: (index) => setKeys({ ...keys, list: keys.list.toSpliced(index, 1) }),
  };
}

function RemoveButton(props: { label: string; disabled: boolean; onClick: () => void }) {
  const t = useTranslations('form');
  return (
    <IconButton
      size="small"
      className="ml-auto"
      label={t('remove', { label: props.label })}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Trash2 />
    </IconButton>
  );
}
