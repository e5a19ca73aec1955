import { anthropicOwnStreams } from './anthropic-streams.ts';
import { googleOwnStreams } from './google-streams.ts';
import { openAiChatStreams } from './openai-chat-streams.ts';
import { openAiResponsesStreams } from './openai-responses-streams.ts';
import type { OwnStream } from './own-stream.ts';

/** All streams that were written for the project, with what they tell. */
export const ownStreams: OwnStream[] = [
  ...openAiChatStreams,
  ...openAiResponsesStreams,
  ...anthropicOwnStreams,
  ...googleOwnStreams,
];
