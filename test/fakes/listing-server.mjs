import './compile-cache.mjs';

await import('./listing-server.ts');
