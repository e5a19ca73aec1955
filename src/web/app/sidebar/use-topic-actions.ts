import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import type { Topic } from '#shared/vocabulary/message.ts';
import { changeTopic, deleteTopic, restoreTopic } from '../../state/chat/topics.ts';
import { regainFocus } from '../../ui/focus/regain-focus.ts';
import { showFailure, showUndo } from '../../ui/notices/notices.ts';

/** How many are changed at the same time. */
const atOnce = 6;

/** What can be done with conversations, one or several, and taken back for a while. */
export function useTopicActions(): {
  remove: (topics: Topic[]) => Promise<void>;
  archive: (topics: Topic[], archived: boolean) => Promise<void>;
} {
  const t = useTranslations('sidebar');
  const [, navigate] = useLocation();
  return {
    async remove(topics) {
      const deleted = await onEach(topics, deleteTopic);
      if (deleted.length === 0) return;
      // Where the reader is by now: they may have gone elsewhere since.
      const open = deleted.find(({ id }) => window.location.pathname === `/t/${id}`);
      if (open) navigate('/');
      regainFocus();
      showUndo(t('deleted', { count: deleted.length }), () => {
        void onEach(deleted, restoreTopic).then((restored) => {
          const isBack = open && restored.includes(open) && window.location.pathname === '/';
          if (isBack) navigate(`/t/${open.id}`);
        });
      });
    },
    async archive(topics, archived) {
      const changed = await onEach(topics, ({ id }) => changeTopic(id, { archived }));
      if (changed.length === 0) return;
      regainFocus();
      const words = archived ? 'archivedNotice' : 'unarchivedNotice';
      const back = ({ id, pinnedAt }: Topic) => {
        const wasPinned = archived && pinnedAt !== undefined;
        return changeTopic(id, wasPinned ? { pinned: true } : { archived: !archived });
      };
      showUndo(t(words, { count: changed.length }), () => void onEach(changed, back));
    },
  };
}

/** Those with which it could be done; of the others the first failure is told. */
async function onEach(topics: Topic[], act: (topic: Topic) => Promise<void>): Promise<Topic[]> {
  const failures: unknown[] = [];
  const done: Topic[] = [];
  const waiting = topics.toReversed();
  const work = async () => {
    for (let topic = waiting.pop(); topic; topic = waiting.pop())
      await act(topic).then(
        () => done.push(topic),
        (error: unknown) => failures.push(error),
      );
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) showFailure(failures[0]);
  return done;
}
