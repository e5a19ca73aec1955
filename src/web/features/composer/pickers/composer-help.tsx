import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { usePreferences } from '../../../state/page/preferences.ts';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { commandText } from '../commands/command-text.ts';
import { openPanel, ownCommands } from '../commands/commands.ts';

const sending = {
  enter: [
    ['Enter', 'keySend'],
    ['Shift + Enter', 'keyLine'],
  ],
  modifier: [
    ['Ctrl / ⌘ + Enter', 'send'],
    ['Enter', 'keyLine'],
  ],
} as const;
const keys = [
  ['↑', 'keyRecall'],
  ['/', 'keyCommand'],
  ['@', 'keyResource'],
  ['Esc', 'keyLeave'],
] as const;

/** The composer's keys and commands. */
export function ComposerHelp(): ReactElement {
  const t = useTranslations('composer');
  const sendKey = usePreferences((state) => state.sendKey);
  return (
    <Modal open onClose={() => openPanel('help', false)} title={t('help')}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {[...sending[sendKey], ...keys].map(([key, text]) => (
          <Row key={key} name={key} text={t(text)} />
        ))}
        {ownCommands.map((command) => (
          <Row key={command} name={`/${command}`} text={t(commandText[command])} />
        ))}
      </dl>
    </Modal>
  );
}

function Row({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>
        <kbd className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs">
          {name}
        </kbd>
      </dt>
      <dd className="text-muted">{text}</dd>
    </>
  );
}
