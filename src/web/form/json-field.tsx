import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Json } from '#shared/json.ts';
import { FieldFrame } from './field-frame.tsx';
import { sameJson } from './fits-node.ts';
import type { ValueProps } from './simple-fields.tsx';
import { toUnread, unreadText } from './unread.ts';

/** A value as JSON, for what has no control of its own. */
export function JsonField(props: ValueProps): ReactElement {
  const { value, onChange, disabled } = props;
  const t = useTranslations('form');
  const [typed, setTyped] = useState('');
  const read = readJson(typed);
  // What was typed stays as it was typed, as long as it says the same as the value.
  const isOwn = read !== undefined && sameJson(read, value);
  const shown = unreadText(value) ?? (isOwn ? typed : toText(value));
  return (
    <FieldFrame {...props} hint={t('asJson')}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          spellCheck={false}
          disabled={disabled}
          className="input field-sizing-content max-h-72 resize-y font-mono text-[0.8125rem]"
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value);
            if (target.value.trim() === '') onChange(undefined);
            else onChange(orUnread(readJson(target.value), target.value));
          }}
        />
      )}
    </FieldFrame>
  );
}

function toText(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

function orUnread(read: Json | undefined, text: string): Json {
  return read === undefined ? toUnread(text) : read;
}

/** Never undefined for a text that is JSON. */
function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
