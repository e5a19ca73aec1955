import './compile-cache.mjs';

await import('./pliable-server.ts');
