import { type ClipboardEvent, type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Json } from '#shared/vocabulary/json.ts';
import { readExactNumber } from './exact-json.ts';
import {
  describedBy,
  FieldFrame,
  FieldWords,
  type FrameProps,
  RequiredMark,
} from './field-frame.tsx';
import type { NumberNode, TextNode } from './form-node.ts';
import { fromLocalTime, toLocalTime } from './local-time.ts';
import { toUnread, unreadText } from './unread.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';

/** A field and what it holds; undefined where nothing was given. */
export interface ValueProps<N = unknown> extends FrameProps {
  node: FrameProps['node'] & N;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  disabled: boolean;
}

const longTextChars = 80;

/** Boxes for addresses of mail and the web would change some of what is typed; only their keys are wanted. */
const inputModes = { email: 'email', uri: 'url', date: undefined, 'date-time': undefined } as const;

/** A text: one line, or several where it is or may become long. */
export function TextField(props: ValueProps<TextNode>): ReactElement {
  const { node, value, required, onChange, disabled } = props;
  const text = typeof value === 'string' ? value : '';
  const [lines, setLines] = useState<boolean | 'pasted'>(
    node.lines || text.length > longTextChars || text.includes('\n'),
  );
  const t = useTranslations('form');
  const give = (next: string) => onChange(next === '' && !required ? undefined : next);
  const hint = node.pattern === undefined ? undefined : t('pattern', { pattern: node.pattern });
  const plain = node.format === undefined && !node.secret;
  const pasteLines = (next: string) => {
    give(next);
    setLines('pasted');
  };
  return (
    <FieldFrame {...props} hint={hint}>
      {(control) =>
        lines && plain ? (
          <textarea
            {...control}
            rows={2}
            autoFocus={lines === 'pasted'}
            disabled={disabled}
            className="input field-sizing-content max-h-72 resize-y"
            value={text}
            onChange={(event) => give(event.target.value)}
          />
        ) : (
          <Line
            {...{ control, node, text, disabled, give }}
            onPasteLines={plain ? pasteLines : undefined}
          />
        )
      }
    </FieldFrame>
  );
}

interface LineProps {
  control: object;
  node: TextNode;
  text: string;
  disabled: boolean;
  give: (text: string) => void;
  /** Gets the text with what was pasted, where that has several lines; absent: they become one. */
  onPasteLines: ((text: string) => void) | undefined;
}

function Line({ control, node, text, disabled, give, onPasteLines }: LineProps) {
  const kind = kindOf(node, text);
  const isTime = kind === 'datetime-local';
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const clip = event.clipboardData.getData('text');
    if (!onPasteLines || !clip.includes('\n')) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    onPasteLines(text.slice(0, selectionStart ?? 0) + clip + text.slice(selectionEnd ?? 0));
  };
  return (
    <input
      {...control}
      type={kind}
      inputMode={node.format && inputModes[node.format]}
      step={isTime ? 1 : undefined}
      autoComplete="off"
      disabled={disabled}
      className="input"
      value={isTime ? (toLocalTime(text) ?? '') : text}
      onChange={({ target }) => give(isTime ? fromLocalTime(target.value) : target.value)}
      onPaste={paste}
    />
  );
}

/** A box for dates and times only where it can show what there is. */
function kindOf({ secret, format }: TextNode, text: string): string {
  if (secret) return 'password';
  if (format === 'date-time' && (text === '' || toLocalTime(text) !== undefined))
    return 'datetime-local';
  if (format === 'date' && (text === '' || /^\d{4}-\d{2}-\d{2}$/.test(text))) return 'date';
  return 'text';
}

/** A number; what is typed and is none stays in sight and is refused by `checkForm`. */
export function NumberField(props: ValueProps<NumberNode>): ReactElement {
  const { node, value, onChange, disabled } = props;
  const [typed, setTyped] = useState('');
  const shown = unreadText(value) ?? (Number(typed) === value && typed ? typed : toText(value));
  const change = (text: string) => {
    setTyped(text);
    const read = readExactNumber(text);
    if (text.trim() === '') onChange(undefined);
    else onChange(typeof read === 'string' ? toUnread(text) : read.value);
  };
  return (
    <FieldFrame {...props} hint={useRange(node)}>
      {(control) => (
        <input
          {...control}
          inputMode={node.integer ? 'numeric' : 'decimal'}
          autoComplete="off"
          disabled={disabled}
          className="input sm:max-w-60"
          value={shown}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}

function toText(value: Json | undefined): string {
  return typeof value === 'number' ? String(value) : '';
}

function useRange({ least: low, most: high }: NumberNode): string | undefined {
  const t = useTranslations('form');
  if (low !== undefined && high !== undefined) return t('between', { low, high });
  if (low !== undefined) return t('from', { low });
  return high === undefined ? undefined : t('upTo', { high });
}

/** Yes or no: a box to tick, or a choice where it may also be left open. */
export function BooleanField(props: ValueProps): ReactElement {
  const isOpen = !props.required && props.node.default === undefined;
  return isOpen ? <OpenBoolean {...props} /> : <BooleanBox {...props} />;
}

function OpenBoolean(props: ValueProps) {
  const t = useTranslations('form');
  const { value, onChange, disabled } = props;
  return (
    <FieldFrame {...props}>
      {(control) => (
        <Select
          {...control}
          disabled={disabled}
          className="input sm:max-w-60"
          value={typeof value === 'boolean' ? String(value) : ''}
          options={[
            ['', t('notGiven')],
            ['true', t('yes')],
            ['false', t('no')],
          ]}
          onChoose={(next) => onChange(next === '' ? undefined : next === 'true')}
        />
      )}
    </FieldFrame>
  );
}

function BooleanBox(props: ValueProps) {
  const id = useId();
  const { at, label, required, problem, value, onChange, disabled } = props;
  const described = describedBy(id, props);
  return (
    <div className="min-w-0">
      <div className="flex min-h-6 items-center gap-2">
        <label className="flex min-w-0 items-center gap-2.5 py-1 text-sm font-medium">
          <Checkbox
            id={id}
            data-pointer={at}
            disabled={disabled}
            checked={value === true}
            aria-describedby={described}
            aria-invalid={problem ? true : undefined}
            onCheck={onChange}
          />
          <span className="min-w-0 break-words">
            {label}
            <RequiredMark required={required} />
          </span>
        </label>
        {props.actions}
      </div>
      <FieldWords {...props} id={id} />
    </div>
  );
}
