import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { contentsApi, type CompletionRef } from '../../api/contents-api.ts';
import { OptionList, optionId, useActiveOption } from '../option-list.tsx';

interface CompletionFieldProps {
  name: string;
  title?: string;
  description?: string;
  required: boolean;
  autoFocus: boolean;
  value: string;
  onChange: (value: string) => void;
  ask: { serverId: string; ref: CompletionRef; known: Record<string, string> };
}

/** A value that the server may have proposals for; any other can be written too. */
export function CompletionField(props: CompletionFieldProps): ReactElement {
  const { name, title, description, required, autoFocus, value } = props;
  const t = useTranslations('composer');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);
  const list = `${id}-list`;
  const { isOpen, active, groups, setOpen, setActive, choose, write, onKeyDown } =
    useCompletion(props);
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {title ?? name}
        {!required && <span className="font-normal text-muted"> · {t('optional')}</span>}
      </label>
      <input
        id={id}
        ref={input}
        role="combobox"
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={active === undefined ? undefined : optionId(list, active)}
        aria-describedby={description ? `${id}-hint` : undefined}
        autoComplete="off"
        required={required}
        maxLength={8000}
        value={value}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        className="input"
      />
      {description && (
        <p id={`${id}-hint`} className="mt-1 text-xs text-muted">
          {description}
        </p>
      )}
      {isOpen && (
        <OptionList
          id={list}
          label={t('proposals', { name: title ?? name })}
          groups={groups}
          active={active}
          onActive={setActive}
          onChoose={choose}
          className="mt-1 max-h-36 rounded-lg border border-line p-1"
        />
      )}
    </div>
  );
}

/** Enter sends the form unless the keys have gone into the list. */
function useCompletion(props: CompletionFieldProps) {
  const { value, onChange } = props;
  const [open, setOpen] = useState(false);
  const [moved, setMoved] = useState(false);
  const proposals = useProposals(props, open).filter((one) => one !== value);
  const groups = [{ options: proposals.map((one) => ({ id: one, label: one })) }];
  const { active, setActive, move } = useActiveOption(groups);
  const isOpen = open && proposals.length > 0;
  const write = (next: string, stay = true) => {
    onChange(next);
    setOpen(stay);
    setMoved(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') setOpen(false);
    else if (event.key === 'Enter' && moved && active !== undefined) write(active, false);
    else return setMoved(move(event) || moved);
    event.preventDefault();
  };
  return {
    isOpen,
    active: isOpen && moved ? active : undefined,
    groups,
    setOpen,
    setActive: (one: string) => {
      setActive(one);
      setMoved(true);
    },
    choose: (one: string) => write(one, false),
    write,
    onKeyDown,
  };
}

/** What the server proposes for what is written so far; nothing where it cannot. */
function useProposals({ name, value, ask }: CompletionFieldProps, open: boolean): string[] {
  const [proposals, setProposals] = useState<string[]>([]);
  const { serverId, ref } = ask;
  const request = JSON.stringify({
    ref,
    argument: { name, value },
    known: { ...ask.known, [name]: undefined },
  });
  useEffect(() => {
    if (!open) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const body = JSON.parse(request) as Parameters<typeof contentsApi.complete>[1];
      contentsApi
        .complete(serverId, body, controller.signal)
        .then(({ values }) => setProposals([...new Set(values)].slice(0, 100)))
        // Most servers have no proposals and say so with an error; the field works without.
        .catch(() => setProposals([]));
    }, 150);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [open, request, serverId]);
  return proposals;
}
