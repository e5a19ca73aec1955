import './compile-cache.mjs';

await import('./fault-server.ts');
