/**
 * What the official conformance suite starts as a client: `node client.mjs URL`. The run of the tests uses the server
 * for it (clients.ts), so that a scenario costs no start of a whole host; this ends as it was told.
 */
import { connect } from 'node:net';
import process from 'node:process';
import { text } from 'node:stream/consumers';

const { CERISE_TEST_CLIENTS, MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_CONTEXT } = process.env;
const socket = connect(CERISE_TEST_CLIENTS);
const asked = {
  url: process.argv[2],
  scenario: MCP_CONFORMANCE_SCENARIO ?? '',
  context: JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}'),
};
socket.end(JSON.stringify(asked));
const { ending, words } = JSON.parse(await text(socket));
process.stdout.write(`${ending}\n`);
process.stderr.write(words);
process.exitCode = ending === 'done' ? 0 : 1;
