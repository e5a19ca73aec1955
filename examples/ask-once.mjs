// Asks one question and prints the answer. Without a key, the scripted demo model answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost } from 'cerise';
import { getMainText } from 'cerise/shared';
import { ask } from './ask.mjs';

const home = await mkdtemp(join(tmpdir(), 'cerise-example-'));
const host = await createHost({ home, demoPace: 0 });
const topic = await host.topics.create('local', {});
const answer = await ask(host, topic.id, 'Hello!');
console.log(answer.status, getMainText(answer).length > 0);
await host.close();
await rm(home, { recursive: true });
