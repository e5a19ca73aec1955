import './compile-cache.mjs';

await import('./hostile-server.ts');
