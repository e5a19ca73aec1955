/**
 * The client that the official conformance suite drives: `node client.ts URL`. The suite starts all of
 * its clients at once; they take turns, so that none is slow because the others are starting.
 */
import { takeTurn } from './turns.ts';

await takeTurn();
const { useServer } = await import('./use-server.ts');
await useServer(process.argv[2] ?? '');
