import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CompletionRef } from '#client/api/servers.ts';
import { api } from '../../state/session/api.ts';
import { OptionList, optionId, useActiveOption } from '../../ui/controls/option-list.tsx';

interface CompletionFieldProps {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  required: boolean;
  autoFocus: boolean;
  value: string;
  onChange: (value: string) => void;
  ask: { serverId: string; ref: CompletionRef; known: Record<string, string> };
}

/** A value, of several lines too, that the server may have proposals for; any other can be written. */
export function CompletionField(props: CompletionFieldProps): ReactElement {
  const { name, title = name, description, required } = props;
  const t = useTranslations('composer');
  const id = useId();
  const list = `${id}-list`;
  const completion = useCompletion(props);
  const { isOpen, active, groups, setActive, choose } = completion;
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium break-words">
        {title}
        {!required && <span className="font-normal text-muted"> · {t('optional')}</span>}
      </label>
      <CompletionBox {...props} id={id} list={list} completion={completion} />
      {description && (
        <p id={`${id}-hint`} className="mt-1 text-xs break-words text-muted">
          {description}
        </p>
      )}
      {isOpen && (
        <OptionList
          id={list}
          label={t('proposals', { name: title })}
          {...{ groups, active }}
          onActive={setActive}
          onChoose={choose}
          className="mt-1 max-h-36 rounded-lg border border-line p-1"
        />
      )}
    </div>
  );
}

interface CompletionBoxProps extends CompletionFieldProps {
  id: string;
  list: string;
  completion: ReturnType<typeof useCompletion>;
}

function CompletionBox(props: CompletionBoxProps) {
  const { id, list, completion, description, required, autoFocus, value } = props;
  const { isOpen, active, setOpen, write, onKeyDown } = completion;
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);
  return (
    <textarea
      id={id}
      ref={input}
      rows={1}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={isOpen ? list : undefined}
      aria-activedescendant={active === undefined ? undefined : optionId(list, active)}
      aria-describedby={description ? `${id}-hint` : undefined}
      autoComplete="off"
      required={required}
      value={value}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onChange={(event) => write(event.target.value)}
      onKeyDown={onKeyDown}
      className="input field-sizing-content max-h-40 resize-none"
    />
  );
}

/** Enter sends the form unless the keys have gone into the list. */
function useCompletion(props: CompletionFieldProps) {
  const { value, onChange } = props;
  const [open, setOpen] = useState(false);
  const [moved, setMoved] = useState(false);
  const proposals = useProposals(props, open).filter((one) => one !== value);
  const label = (text: string) => <span className="min-w-0 break-words">{text}</span>;
  const groups = [{ options: proposals.map((one) => ({ id: one, label: label(one) })) }];
  const { active, setActive, move } = useActiveOption(groups);
  const isOpen = open && proposals.length > 0;
  const write = (next: string, stay = true) => {
    onChange(next);
    setOpen(stay);
    setMoved(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isEnter = event.key === 'Enter' && !event.shiftKey;
    if (event.key === 'Escape' && isOpen) setOpen(false);
    else if (isEnter && isOpen && moved && active !== undefined) write(active, false);
    else if (isEnter) event.currentTarget.form?.requestSubmit();
    else if (isOpen) return setMoved(move(event) || moved);
    else return;
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
      const body = JSON.parse(request) as Parameters<typeof api.servers.complete>[1];
      api.servers
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
