// What the import of one module costs: `import.mjs SPECIFIER`. Not TypeScript, which Node would load a compiler for.

const [, , specifier = ''] = process.argv;
const memory = process.memoryUsage.rss();
const before = process.cpuUsage();
const began = performance.now();
await import(specifier);
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(before);
const grownMb = (process.memoryUsage.rss() - memory) / 1024 ** 2;
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000, grownMb }));
