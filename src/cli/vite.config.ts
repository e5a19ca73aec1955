import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The program as JavaScript in a few files: a start reads these instead of a thousand. Everything that is
// loaded when the program starts is in them; what is loaded later, and by `require`, stays a package.
export default defineConfig({
  root: file('../..'),
  publicDir: false,
  ssr: { noExternal: true, external: ['pg-native'] },
  build: {
    ssr: true,
    target: 'node26',
    outDir: file('../../dist/host'),
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      // Beside the program, what it starts in a thread or a process of its own.
      input: {
        cerise: file('./main.ts'),
        'html-worker': file('../mcp/builtin/web/html-worker.ts'),
        reap: file('../mcp/process/reap.ts'),
      },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
});
