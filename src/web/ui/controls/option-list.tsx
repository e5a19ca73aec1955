import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react';

/** One entry of a list to choose from. */
export interface Option {
  id: string;
  label: ReactNode;
}

/** Options that belong together. */
export interface OptionGroup {
  heading?: string;
  options: Option[];
}

interface OptionListProps {
  id: string;
  label: string;
  groups: OptionGroup[];
  active: string | undefined;
  /** Marked as the one that holds now. */
  selected?: string | undefined;
  onActive: (id: string) => void;
  onChoose: (id: string) => void;
  className?: string;
}

/** The list of a combobox; the focus stays in its input. */
export function OptionList(props: OptionListProps): ReactElement {
  const { id, groups, active } = props;
  const first = groups.find(({ options }) => options.length > 0)?.options[0]?.id;
  useEffect(() => {
    // With the first option its heading is wanted too.
    if (active === first) document.querySelector(`#${CSS.escape(id)}`)?.scrollTo({ top: 0 });
    else
      document
        .querySelector(`#${CSS.escape(optionId(id, active ?? ''))}`)
        ?.scrollIntoView({ block: 'nearest' });
  }, [id, active, first]);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={props.label}
      className={`overflow-y-auto overscroll-contain ${props.className ?? ''}`}
    >
      {groups.map((group, index) => (
        <Group key={group.heading ?? index} list={props} group={group} />
      ))}
    </div>
  );
}

function Group({ list, group }: { list: OptionListProps; group: OptionGroup }) {
  const heading = useId();
  if (group.options.length === 0) return null;
  return (
    <div role="group" aria-labelledby={group.heading ? heading : undefined}>
      {group.heading && (
        <div id={heading} className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
          {group.heading}
        </div>
      )}
      {group.options.map(({ id, label }) => (
        <div
          key={id}
          id={optionId(list.id, id)}
          role="option"
          tabIndex={-1}
          data-testid="option"
          data-highlighted={id === list.active ? '' : undefined}
          aria-selected={list.selected === undefined ? id === list.active : id === list.selected}
          // The input keeps the focus, so that its keys go on working.
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => id === list.active || list.onActive(id)}
          onClick={() => list.onChoose(id)}
          // One highlight: where the pointer rests counts for nothing once the keys have moved on.
          className="menu-item not-data-[highlighted]:hover:bg-transparent pointer-coarse:min-h-11"
        >
          {label}
        </div>
      ))}
    </div>
  );
}

/** The id of an option's element, for `aria-activedescendant`; an id of the page has no spaces. */
export function optionId(list: string, option: string): string {
  return `${list}-${encodeURIComponent(option.toWellFormed())}`;
}

interface ActiveOption {
  active: string | undefined;
  setActive: (id: string) => void;
  /** Moves with the arrow keys, Home and End; says whether it took the key. */
  move: (event: KeyboardEvent) => boolean;
}

/** Which option the keys are at: the first one until they move, and whenever it is gone. */
export function useActiveOption(groups: OptionGroup[], first?: string): ActiveOption {
  const [wanted, setActive] = useState(first);
  const ids = groups.flatMap(({ options }) => options.map(({ id }) => id));
  const active = wanted !== undefined && ids.includes(wanted) ? wanted : ids[0];
  const move = (event: KeyboardEvent) => {
    if (ids.length === 0) return false;
    const at = active === undefined ? -1 : ids.indexOf(active);
    const steps: Record<string, number> = {
      ArrowDown: (at + 1) % ids.length,
      ArrowUp: (at - 1 + ids.length) % ids.length,
      PageDown: Math.min(at + 8, ids.length - 1),
      PageUp: Math.max(at - 8, 0),
    };
    const next = ids[steps[event.key] ?? -1];
    if (next === undefined) return false;
    event.preventDefault();
    setActive(next);
    return true;
  };
  return { active, setActive, move };
}
