import type { RefObject } from 'react';
import { useLocation } from 'wouter';
import { readDraft, writeDraft } from '../../../state/chat/drafts.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { useAttach } from '../attachments/use-attach.ts';
import { runCommand } from '../commands/commands.ts';
import { addResource, fetchPrompt } from './add-to-draft.ts';
import type { Trigger } from './find-trigger.ts';
import type { Suggestion } from './suggestions.ts';

interface ChooseOptions {
  topicId: string | null;
  area: RefObject<HTMLTextAreaElement | null>;
  onSend: (text: string) => void;
  /** The entry needs values first. */
  onAsk: (suggestion: Suggestion) => void;
}

/** Does what an entry of the list stands for; the word that opened the list goes. */
export function useChoose(options: ChooseOptions): (one: Suggestion, trigger: Trigger) => void {
  const { topicId, area, onSend, onAsk } = options;
  const [, navigate] = useLocation();
  const attach = useAttach(topicId);
  const takeOut = ({ start, end }: Trigger) => {
    const { text } = readDraft(topicId);
    writeDraft(topicId, { text: text.slice(0, start) + text.slice(end) });
    // Once the shorter text is drawn, the caret goes where the word was.
    requestAnimationFrame(() => area.current?.setSelectionRange(start, start));
  };
  return (one, trigger) => {
    takeOut(trigger);
    if (one.kind === 'command') {
      if (one.command === 'compact') onSend('/compact');
      else runCommand(`/${one.command}`, navigate);
    } else if (
      one.kind === 'template' ||
      (one.kind === 'prompt' && one.prompt.arguments.length > 0)
    ) {
      onAsk(one);
    } else if (one.kind === 'resource') {
      addResource(topicId, one.server, one.resource);
    } else {
      fetchPrompt({ topicId, server: one.server, name: one.prompt.name, values: {}, attach }).catch(
        showFailure,
      );
    }
  };
}
