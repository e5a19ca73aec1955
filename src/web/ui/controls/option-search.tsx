import type { ComponentProps, KeyboardEvent, ReactElement } from 'react';
import { optionId } from './option-list.tsx';

interface OptionSearchProps extends Omit<ComponentProps<'input'>, 'onChange' | 'list'> {
  label: string;
  value: string;
  onWrite: (query: string) => void;
  /** The id of the list that the keys walk, and the option that they are at. */
  list: string;
  active: string | undefined;
  /** Says whether the list took the key. */
  move: (event: KeyboardEvent) => boolean;
  onChoose: (id: string) => void;
}

/** The box above a list of options: type, walk with the arrows, choose with Enter. */
export function OptionSearch(props: OptionSearchProps): ReactElement {
  const { label, onWrite, list, active, move, onChoose, ...rest } = props;
  return (
    <input
      {...rest}
      type="text"
      role="combobox"
      aria-label={label}
      aria-expanded
      aria-autocomplete="list"
      aria-controls={list}
      aria-activedescendant={active === undefined ? undefined : optionId(list, active)}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onWrite(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || move(event)) return;
        if (event.key !== 'Enter' || active === undefined) return;
        event.preventDefault();
        onChoose(active);
      }}
    />
  );
}
