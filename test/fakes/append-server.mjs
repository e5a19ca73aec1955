import './compile-cache.mjs';

await import('./append-server.ts');
