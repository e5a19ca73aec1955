import './compile-cache.mjs';

await import('./counting-server.ts');
