import { Tabs } from '@base-ui/react/tabs';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { tabLook } from '../../../ui/controls/tab-look.ts';
import { AccessNote } from '../launch/access-note.tsx';
import { LaunchFacts } from '../launch/launch-facts.tsx';
import { ToolsTab } from '../tools/tools-tab.tsx';
import { UnaskedNote } from '../tools/unasked-note.tsx';
import { type QuickPolicy, useQuickPolicy } from '../tools/use-quick-policy.ts';
import { Diagnosis } from './diagnosis.tsx';
import { LogsTab } from './logs-tab.tsx';
import { PromptsTab } from './prompts-tab.tsx';
import { ResourcesTab } from './resources-tab.tsx';

/** A part of a server's details. */
export type DetailsTab = 'tools' | 'prompts' | 'resources' | 'logs' | 'launch' | 'why';

interface ServerDetailsProps {
  server: ServerView;
  tab: DetailsTab;
  onTab: (tab: DetailsTab) => void;
}

/** What a server offers, its log, how it is reached, and why it works or does not. */
export function ServerDetails({ server, tab, onTab }: ServerDetailsProps): ReactElement {
  const policy = useQuickPolicy();
  const tabs = useTabs(server, policy);
  // What was tried with a tool stays while another tab is looked at.
  const [usesTools, setUsesTools] = useState(false);
  if (tab === 'tools' && !usesTools) setUsesTools(true);
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => onTab(next as DetailsTab)}
      className="px-3.5 py-3"
    >
      <AccessNote server={server} />
      <UnaskedNote server={server} policyVersion={policy.policy?.version ?? ''} />
      <Tabs.List className="mb-3 flex flex-wrap gap-1">
        {tabs.map(([name, label]) => (
          <Tabs.Tab key={name} value={name} className={tabLook} data-testid={`tab-${name}`}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([name, , panel]) => (
        <Tabs.Panel key={name} value={name} keepMounted={name === 'tools' && usesTools}>
          {(tab === name || (name === 'tools' && usesTools)) && panel()}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

type Tab = [tab: DetailsTab, label: string, panel: () => ReactElement];

function useTabs(server: ServerView, policy: QuickPolicy): Tab[] {
  const t = useTranslations('servers');
  const { id, config, launchHash, type, readOnly } = server;
  // Who may not connect it by hand does so by looking at what it offers.
  const connected = server.state === 'connected' || readOnly === true;
  const offer = (panel: ReactElement) =>
    connected ? panel : <p className="text-sm text-muted">{t('connectForTools')}</p>;
  const launch = <LaunchFacts config={config} launchHash={launchHash} />;
  const offered: Tab[] = [
    ['tools', t('tools'), () => offer(<ToolsTab server={server} policy={policy} />)],
    ['prompts', t('prompts'), () => offer(<PromptsTab serverId={id} />)],
    ['resources', t('resources'), () => offer(<ResourcesTab serverId={id} />)],
  ];
  // Who only uses a server is told nothing of how it is run.
  if (readOnly) return offered;
  const logs: Tab = ['logs', t('logs'), () => <LogsTab serverId={id} />];
  const why: Tab = ['why', t('why'), () => <Diagnosis server={server} />];
  // A built-in server has neither a command nor an address.
  if (server.builtin) return [...offered, logs, why];
  return [
    ...offered,
    logs,
    ['launch', type === 'stdio' ? t('command') : t('address'), () => launch],
    why,
  ];
}
