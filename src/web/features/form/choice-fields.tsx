import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import { FieldFrame, GroupFrame } from './field-frame.tsx';
import { optionIndex } from './fits-node.ts';
import type { ChoiceOption, ChoicesNode } from './form-node.ts';
import type { ValueProps } from './simple-fields.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';

type Choice = { kind: 'choice'; options: ChoiceOption[] };

const mostRadios = 4;
const longTitleChars = 32;

/** One of the options: buttons where they are few and one must be taken, else a list. */
export function ChoiceField(props: ValueProps<Choice>): ReactElement {
  const { options } = props.node;
  const short = options.every(({ title }) => title.length <= longTitleChars);
  const few = options.length <= mostRadios && short && props.required;
  return few ? <RadioField {...props} /> : <SelectField {...props} />;
}

function SelectField(props: ValueProps<Choice>) {
  const t = useTranslations('form');
  const { node, value, onChange, required, disabled } = props;
  const at = optionIndex(node.options, value);
  return (
    <FieldFrame {...props}>
      {(control) => (
        <select
          {...control}
          disabled={disabled}
          className="input"
          value={at < 0 ? '' : String(at)}
          onChange={({ target }) =>
            onChange(target.value === '' ? undefined : node.options[Number(target.value)]?.value)
          }
        >
          {(!required || at < 0) && (
            <option value="">{required ? t('choose') : t('notGiven')}</option>
          )}
          {node.options.map((option, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the options of a schema never move
            <option key={index} value={String(index)}>
              {option.title}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

function RadioField(props: ValueProps<Choice>) {
  const name = useId();
  const { node, value, onChange, disabled } = props;
  const chosen = optionIndex(node.options, value);
  return (
    <GroupFrame {...props}>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {node.options.map((option, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the options of a schema never move
          <label key={index} className={optionLook}>
            <input
              type="radio"
              name={name}
              disabled={disabled}
              checked={index === chosen}
              className="size-4 shrink-0 accent-accent"
              onChange={() => onChange(option.value)}
            />
            {option.title}
          </label>
        ))}
      </div>
    </GroupFrame>
  );
}

/** Any of the options. */
export function ChoicesField(props: ValueProps<ChoicesNode>): ReactElement {
  const { node, value, onChange, required, disabled } = props;
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (option: ChoiceOption, on: boolean) => {
    const at = optionIndex(node.options, option.value);
    const kept = node.options.filter(({ value: each }, index) =>
      index === at
        ? on
        : chosen.some((one) => optionIndex([{ value: one, title: '' }], each) === 0),
    );
    onChange(kept.length === 0 && !required ? undefined : kept.map(({ value: each }) => each));
  };
  return (
    <GroupFrame {...props}>
      <div className="flex max-h-64 flex-col gap-1 overflow-y-auto">
        {node.options.map((option, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the options of a schema never move
          <label key={index} className={optionLook}>
            <Checkbox
              disabled={disabled}
              checked={chosen.some((one) => optionIndex([option], one) === 0)}
              onCheck={(on) => toggle(option, on)}
            />
            {option.title}
          </label>
        ))}
      </div>
    </GroupFrame>
  );
}

const optionLook = 'flex min-h-8 min-w-0 items-center gap-2.5 text-sm break-words';
