import './compile-cache.mjs';

await import('./prying-server.ts');
