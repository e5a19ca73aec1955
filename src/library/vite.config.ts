import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The doors of the npm package as JavaScript in a few files: a program that imports one of them reads these instead of
// hundreds. What doors share is in files of its own, so that a class is the same in all of them. Packages stay
// packages, except zod: only what the doors use of it is loaded.
export default defineConfig({
  root: file('../..'),
  publicDir: false,
  ssr: { noExternal: ['zod'] },
  build: {
    ssr: true,
    target: 'node24',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      // Beside the doors, what they start in a thread or a process of its own.
      input: {
        cerise: file('./cerise.ts'),
        client: file('./client.ts'),
        mcp: file('./mcp.ts'),
        shared: file('./shared.ts'),
        stream: file('./stream.ts'),
        'html-worker': file('../mcp/builtin/web/html-worker.ts'),
        reap: file('../mcp/process/reap.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
