import { type ReactElement } from 'react';
import { lazyPart, Part } from '../../loading/part.tsx';
import { usePanel } from '../commands/commands.ts';
import { AssistantPicker } from './assistant-picker.tsx';
import { EffortPicker } from './effort-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import { ServerPicker } from './server-picker.tsx';

const ComposerHelp = lazyPart(async () => (await import('./composer-help.tsx')).ComposerHelp);

/** What the message will be answered by: assistant, model, effort and servers. */
export function Pickers({ topicId }: { topicId: string | null }): ReactElement {
  const help = usePanel(({ panel }) => panel === 'help');
  return (
    <>
      <AssistantPicker topicId={topicId} />
      <ModelPicker topicId={topicId} />
      <EffortPicker topicId={topicId} />
      <ServerPicker topicId={topicId} />
      <Part>{help && <ComposerHelp />}</Part>
    </>
  );
}
