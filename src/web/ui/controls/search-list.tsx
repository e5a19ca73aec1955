import { type ReactElement, type ReactNode, useId } from 'react';
import { OptionList, type OptionGroup, useActiveOption } from './option-list.tsx';
import { OptionSearch } from './option-search.tsx';

interface SearchListProps {
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  groups: OptionGroup[];
  selected: string | undefined;
  onChoose: (id: string) => void;
  /** Said where nothing fits. */
  nothing: string;
  /** Stands below the list; gets the option that the keys are at. */
  children?: (active: string | undefined) => ReactNode;
}

/** A list with a search above it: type, walk with the arrows, choose with Enter. */
export function SearchList(props: SearchListProps): ReactElement {
  const { label, placeholder, query, onQuery, groups, selected, onChoose, nothing, children } =
    props;
  const list = useId();
  const { active, setActive, move } = useActiveOption(groups, selected);
  return (
    <>
      <OptionSearch
        label={placeholder}
        placeholder={placeholder}
        value={query}
        onWrite={onQuery}
        {...{ list, active, move, onChoose }}
        className="input mb-1.5"
      />
      <OptionList
        id={list}
        label={label}
        groups={groups}
        active={active}
        selected={selected}
        onActive={setActive}
        onChoose={onChoose}
        className="max-h-72"
      />
      {active === undefined && <p className="px-2.5 py-2 text-muted">{nothing}</p>}
      {children?.(active)}
    </>
  );
}
