import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { commandText } from '../../features/composer/commands/command-text.ts';
import { ownCommands } from '../../features/composer/commands/commands.ts';
import { showOverlay } from '../../state/page/overlay.ts';
import { type ShortcutId, shortcutPlaces, shortcuts } from '../../state/page/shortcuts.ts';
import { useListening } from '../../state/page/use-shortcut.ts';
import { Modal } from '../../ui/dialog/modal.tsx';
import { Cap, Keys } from './keys.tsx';

/** The shortcuts of the page as it is now, by where they work, and the commands of the composer. */
export function Help(): ReactElement {
  const t = useTranslations('shortcuts');
  const composer = useTranslations('composer');
  const listening = useListening();
  const ids = (Object.keys(shortcuts) as ShortcutId[]).filter((id) => (listening[id] ?? 0) > 0);
  const places = shortcutPlaces.filter((place) => ids.some((id) => shortcuts[id].place === place));
  return (
    <Modal open onClose={() => showOverlay(null)} title={t('title')}>
      <div className="space-y-5" data-testid="shortcuts">
        {places.map((place) => (
          <Group key={place} title={t(`places.${place}`)}>
            {ids
              .filter((id) => shortcuts[id].place === place)
              .map((id) => (
                <Row key={id} id={id} text={t(id)}>
                  <Keys id={id} all />
                </Row>
              ))}
          </Group>
        ))}
        {places.includes('composer') && (
          <Group title={t('commandsTitle')}>
            {ownCommands.map((command) => (
              <Row key={command} id={command} text={composer(commandText[command])}>
                <Cap>{`/${command}`}</Cap>
              </Row>
            ))}
          </Group>
        )}
      </div>
    </Modal>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 text-xs font-medium text-muted">{title}</h3>
      <dl className="divide-y divide-line rounded-xl border border-line">{children}</dl>
    </section>
  );
}

function Row(props: { id: string; text: string; children: ReactNode }) {
  return (
    <div
      data-testid="shortcut"
      data-id={props.id}
      className="flex min-h-10 items-center justify-between gap-4 px-3 py-1.5 text-sm"
    >
      <dt>{props.text}</dt>
      <dd className="shrink-0">{props.children}</dd>
    </div>
  );
}
