import { type ReactElement, useId, useState } from 'react';
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
  const [lines, setLines] = useState(
    node.lines || text.length > longTextChars || text.includes('\n'),
  );
  const [pasted, setPasted] = useState(false);
  const t = useTranslations('form');
  const give = (next: string) => onChange(next === '' && !required ? undefined : next);
  const hint = node.pattern === undefined ? undefined : t('pattern', { pattern: node.pattern });
  const asTime = node.format === 'date-time' && (text === '' || toLocalTime(text) !== undefined);
  const asDay = node.format === 'date' && (text === '' || /^\d{4}-\d{2}-\d{2}$/.test(text));
  const plain = node.format === undefined && !node.secret;
  return (
    <FieldFrame {...props} hint={hint}>
      {(control) =>
        lines && plain ? (
          <textarea
            {...control}
            rows={2}
            autoFocus={pasted}
            disabled={disabled}
            className="input field-sizing-content max-h-72 resize-y"
            value={text}
            onChange={(event) => give(event.target.value)}
          />
        ) : (
          <input
            {...control}
            type={node.secret ? 'password' : asTime ? 'datetime-local' : asDay ? 'date' : 'text'}
            inputMode={node.format && inputModes[node.format]}
            step={asTime ? 1 : undefined}
            autoComplete="off"
            disabled={disabled}
            className="input"
            value={asTime ? (toLocalTime(text) ?? '') : text}
            onChange={(event) =>
              give(asTime ? fromLocalTime(event.target.value) : event.target.value)
            }
            onPaste={(event) => {
              // One line would swallow the ends of lines.
              const clip = event.clipboardData.getData('text');
              if (!plain || !clip.includes('\n')) return;
              event.preventDefault();
              const { selectionStart, selectionEnd } = event.currentTarget;
              give(text.slice(0, selectionStart ?? 0) + clip + text.slice(selectionEnd ?? 0));
              setLines(true);
              setPasted(true);
            }}
          />
        )
      }
    </FieldFrame>
  );
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
  const id = useId();
  const t = useTranslations('form');
  const { at, label, required, problem, value, onChange, disabled, node } = props;
  if (!required && node.default === undefined)
    return (
      <FieldFrame {...props}>
        {(control) => (
          <select
            {...control}
            disabled={disabled}
            className="input sm:max-w-60"
            value={typeof value === 'boolean' ? String(value) : ''}
            onChange={({ target }) =>
              onChange(target.value === '' ? undefined : target.value === 'true')
            }
          >
            <option value="">{t('notGiven')}</option>
            <option value="true">{t('yes')}</option>
            <option value="false">{t('no')}</option>
          </select>
        )}
      </FieldFrame>
    );
  const described = describedBy(id, props);
  return (
    <div className="min-w-0">
      <div className="flex min-h-6 items-center gap-2">
        <label className="flex min-w-0 items-center gap-2.5 py-1 text-sm font-medium">
          <input
            id={id}
            type="checkbox"
            data-pointer={at}
            disabled={disabled}
            checked={value === true}
            className="size-4 shrink-0 accent-accent"
            {...(described && { 'aria-describedby': described })}
            {...(problem && { 'aria-invalid': true })}
            onChange={(event) => onChange(event.target.checked)}
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
