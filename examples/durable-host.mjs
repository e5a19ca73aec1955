// A conversation survives the end of the program that holds it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost } from 'cerise';
import { ask } from './ask.mjs';

const home = await mkdtemp(join(tmpdir(), 'cerise-example-'));
const first = await createHost({ home, demoPace: 0 });
const topic = await first.topics.create('local', { title: 'Kept' });
await ask(first, topic.id, 'Hello!');
await first.close();

const second = await createHost({ home, demoPace: 0 });
const answer = await ask(second, topic.id, 'And again!');
console.log(answer.topicId === topic.id, answer.status);
await second.close();
await rm(home, { recursive: true });
