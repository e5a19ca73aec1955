import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Json } from '#shared/vocabulary/json.ts';
import { readExactJson } from './exact-json.ts';
import { FieldFrame } from './field-frame.tsx';
import { sameJson } from './fits-node.ts';
import type { ValueProps } from './simple-fields.tsx';
import { toJsonText, toUnread, unreadText } from './unread.ts';

/** A value as JSON, for what has no control of its own. */
export function JsonField(props: ValueProps): ReactElement {
  const { value, onChange, disabled } = props;
  const t = useTranslations('form');
  const [typed, setTyped] = useState('');
  const read = readExactJson(typed);
  // What was typed stays as it was typed, as long as it says the same as the value.
  const isOwn = typeof read === 'object' && sameJson(read.value, value);
  const written = value === undefined ? '' : toJsonText(value);
  const shown = unreadText(value) ?? (isOwn ? typed : written);
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
            else onChange(orUnread(target.value));
          }}
        />
      )}
    </FieldFrame>
  );
}

/** A text that says no value, or not exactly the one typed, waits to be mended. */
function orUnread(text: string): Json {
  const read = readExactJson(text);
  return typeof read === 'string' ? toUnread(text) : read.value;
}
