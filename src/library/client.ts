/** `cerise/client`: a typed client of the HTTP API, with streams that resume by themselves. It works in a browser. */
export { type Client, createClient } from '#client/client.ts';
export { applyEvent } from '#client/conversation/apply-event.ts';
export { type Connection, type ConnectionOptions } from '#client/http/connection.ts';
export { readHostEvents, readTopicEvents } from '#client/stream/read-events.ts';
