import { readPage } from '#store/message-page.ts';
import { openStore } from '#store/open-store.ts';
import { searchText } from '#store/search.ts';
import { type Store } from '#store/store.ts';
import { listTopics } from '#store/topics.ts';
import { blocks, manyMessages, oneAnswer, owner, type Place, word } from './data.ts';
import { measure } from './measure.ts';

const [what = '', place = ''] = process.argv.slice(2);

/** What Cerise does for a request, from the moment it is let in to the value that is answered. */
const work: Record<string, (store: Store) => Promise<unknown>> = {
  'many-messages': ({ db }) => readPage(db, manyMessages, { limit: 200, blocks }),
  'one-answer': ({ db }) => readPage(db, oneAnswer, { limit: 200, blocks }),
  list: ({ db }) => listTopics(db, owner, { limit: 200 }),
  search: ({ db }) => searchText(db, owner, word, 50),
};

const store = await openStore(JSON.parse(place) as Place);
await measure(() => work[what]?.(store));
await store.close();
