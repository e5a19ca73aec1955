import { expect, it } from 'vitest';
import { findIntents } from '#models/demo/intents.ts';
import { en } from '#web/messages/en/en.ts';
import { zh } from '#web/messages/zh/zh.ts';
import { chooseSuggestions } from '#web/pages/chat/suggestions.ts';

const names = ['time', 'filesystem', 'calculator', 'memory', 'demo'];
const servers = names.map((name) => ({ name, builtin: true }));

it.each([en.chat, zh.chat])(
  'the demo model understands everything the page suggests to it',
  (chat) => {
    const suggested = chooseSuggestions({ scripted: true, instructed: false, servers });
    expect(suggested).toHaveLength(7);
    for (const { text } of suggested) expect(findIntents(chat[text]), chat[text]).not.toEqual([]);
  },
);
