import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { isMessageOpen, isMessageRunning } from '#shared/vocabulary/message.ts';
import { getMessage, getRequest, reopenMessage } from '#store/conversations/messages.ts';
import type { BodyOf, Translated } from '../cluster/command.ts';
import type { Remember } from '../cluster/idempotency.ts';
import { messageNotFound } from '../topic/topic-not-found.ts';
import type { TranslationRequest } from '../turn/run-translation.ts';
import { wordsOf } from '../turn/translation-text.ts';
import { inTopic, type MessagesDeps, resolveRequest } from './answer-request.ts';

/** Opens a message again and has it translated. */
export async function translateHere(
  deps: MessagesDeps,
  owner: string,
  topicId: string,
  { messageId, input }: BodyOf<'translate'>,
  also: Remember<Translated>,
): Promise<Translated> {
  return inTopic(deps, owner, topicId, async (live) => {
    const { db } = deps.store;
    const message = live.message(messageId) ?? (await getMessage(db, owner, messageId));
    if (!message) throw messageNotFound();
    if (isMessageRunning(message))
      throw conflict(say('answer-being-written')`This answer is still running.`);
    if (isMessageOpen(message))
      throw conflict(say('being-translated')`This message is already being translated.`);
    if (wordsOf(message) === '')
      throw new CeriseError(
        'message_empty',
        say('nothing-to-translate')`This message has no text to translate.`,
      );
    const wanted = input.model ?? (await deps.choices.translationModel(owner));
    const { model } = await resolveRequest(deps, live, { model: wanted });
    const asked = (await getRequest(db, messageId)) as JsonObject | undefined;
    const request: TranslationRequest = {
      ...asked,
      translation: { language: input.language, model },
    };
    live.keep(message);
    await live.commit({
      events: [{ type: 'message-reopen', messageId }],
      rows: async (tx) => {
        await reopenMessage(tx, messageId, request);
        await also(tx, { messageId });
      },
      committed: () => deps.turns.start(live, { answerId: messageId, request, steers: false }),
    });
    return { messageId };
  });
}

function conflict(message: Words): CeriseError {
  return new CeriseError('conflict', message, {
    hint: say('wait-or-stop')`Wait for it to finish, or stop it.`,
  });
}
