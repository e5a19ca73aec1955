import { Menu } from '@base-ui/react/menu';
import { Check, ListFilter, X } from 'lucide-react';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { TopicUses } from '#shared/api/topic-api.ts';
import { useCatalog } from '../../state/catalog/catalog.ts';
import {
  isFiltered,
  setFilter,
  type TopicFilter,
  useFiltered,
} from '../../state/chat/filtered-topics.ts';
import { api } from '../../state/session/api.ts';
import { MenuPopup } from '../../ui/controls/menu-popup.tsx';
import { showFailure } from '../../ui/notices/notices.ts';

/** A button that opens what the list can be filtered by. */
export function FilterButton(): ReactElement {
  const t = useTranslations('sidebar');
  const [uses, setUses] = useState<TopicUses>({ models: [], servers: [] });
  const filter = useFiltered((state) => state.filter);
  return (
    <Menu.Root
      onOpenChange={(open) => {
        if (open) api.topics.uses().then(setUses, showFailure);
      }}
    >
      <Menu.Trigger
        aria-label={t('filter')}
        title={t('filter')}
        data-testid="topic-filter"
        className={`icon-button size-9 [&_svg]:size-4 ${isFiltered(filter) ? 'text-accent-text' : ''}`}
      >
        <ListFilter aria-hidden />
      </Menu.Trigger>
      <MenuPopup className="max-h-96 w-60" align="end">
        <Choice field="state" value="running" name={t('filterRunning')} />
        <Choice field="state" value="waiting" name={t('filterWaiting')} />
        <Choice field="archived" value="1" name={t('archived')} />
        <Uses uses={uses} />
      </MenuPopup>
    </Menu.Root>
  );
}

/** The models and servers that conversations use. */
function Uses({ uses }: { uses: TopicUses }) {
  const t = useTranslations('sidebar');
  const serverName = useServerName();
  const modelName = useModelName();
  const servers = uses.servers.flatMap((id) => {
    const name = serverName(id);
    return name === undefined ? [] : [{ id, name }];
  });
  return (
    <>
      {uses.models.length > 0 && (
        <Choices heading={t('filterModels')}>
          {uses.models.map((model) => (
            <Choice key={model} field="model" value={model} name={modelName(model)} />
          ))}
        </Choices>
      )}
      {servers.length > 0 && (
        <Choices heading={t('filterServers')}>
          {servers.map(({ id, name }) => (
            <Choice key={id} field="server" value={id} name={name} />
          ))}
        </Choices>
      )}
    </>
  );
}

function Choices({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Menu.Group>
      <Menu.Separator className="my-1.5 h-px bg-line" />
      <Menu.GroupLabel className="px-2.5 pt-1 pb-1.5 text-xs text-muted">{heading}</Menu.GroupLabel>
      {children}
    </Menu.Group>
  );
}

interface ChoiceProps<Field extends keyof TopicFilter> {
  field: Field;
  value: TopicFilter[Field];
  name: string;
}

/** One value of a field to filter by; chosen again, it is none. */
function Choice<Field extends keyof TopicFilter>({ field, value, name }: ChoiceProps<Field>) {
  const filter = useFiltered((state) => state.filter);
  const checked = filter[field] === value;
  return (
    <Menu.CheckboxItem
      checked={checked}
      onCheckedChange={() => setFilter({ ...filter, [field]: checked ? undefined : value })}
      closeOnClick
      className="menu-item"
    >
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {checked && <Check aria-hidden className="text-accent-text" />}
    </Menu.CheckboxItem>
  );
}

/** What the list is filtered by, each with a way to remove it. */
export function FilterChips(): ReactElement | null {
  const t = useTranslations('sidebar');
  const filter = useFiltered((state) => state.filter);
  const serverName = useServerName();
  const modelName = useModelName();
  const { state, archived, model, server } = filter;
  const names: Record<keyof TopicFilter, string | undefined> = {
    archived: archived && t('archived'),
    state: state && t(state === 'running' ? 'filterRunning' : 'filterWaiting'),
    model: model && modelName(model),
    server: server && (serverName(server) ?? server),
  };
  const chips = Object.entries(names).filter(([, name]) => name !== undefined);
  if (chips.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5 px-1 pt-1" data-testid="filter-chips">
      {chips.map(([field, name = '']) => (
        <button
          key={field}
          type="button"
          aria-label={t('clearFilter', { name })}
          title={t('clearFilter', { name })}
          onClick={() => setFilter({ ...filter, [field]: undefined })}
          className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-full bg-accent-soft py-0.5 pr-1.5 pl-2.5 text-xs text-accent-text hover:bg-hover pointer-coarse:min-h-11 [&_svg]:size-3.5 [&_svg]:shrink-0"
        >
          <span className="truncate">{name}</span>
          <X aria-hidden />
        </button>
      ))}
    </div>
  );
}

/** Names of servers that are there; undefined for others. */
function useServerName(): (id: string) => string | undefined {
  const servers = useCatalog((state) => state.servers);
  return (id) => servers.find((server) => server.id === id)?.name;
}

/** Names of models; what is not offered any more goes by its id. */
function useModelName(): (id: string) => string {
  const models = useCatalog((state) => state.models);
  return (id) => models.find((model) => model.id === id)?.name ?? id;
}
