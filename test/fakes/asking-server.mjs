import './compile-cache.mjs';

await import('./asking-server.ts');
