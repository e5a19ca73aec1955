import { readPage } from '#store/conversations/message-page.ts';
import { searchText } from '#store/conversations/search.ts';
import { listTopics } from '#store/conversations/topic-list.ts';
import { type Store } from '#store/database/store.ts';
import { openStore } from '#store/open-store.ts';
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
