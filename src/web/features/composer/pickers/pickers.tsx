import { type ReactElement } from 'react';
import { AssistantPicker } from './assistant-picker.tsx';
import { EffortPicker } from './effort-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import { ServerPicker } from './server-picker.tsx';

/** What the message will be answered by: assistant, model, effort and servers. */
export function Pickers({ topicId }: { topicId: string | null }): ReactElement {
  return (
    <>
      <AssistantPicker topicId={topicId} />
      <ModelPicker topicId={topicId} />
      <EffortPicker topicId={topicId} />
      <ServerPicker topicId={topicId} />
    </>
  );
}
