import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** What dialogs, forms and lists are made of on every page. */
const shared =
  /src\/(?:shared|web\/ui|web\/features\/(?:form|inputs|loading|models|policy))\/|base-ui|lucide/;

// Vite reads its configuration from the default export.
export default defineConfig({
  root: folder,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    // Diagrams are drawn by a page of its own, in a frame.
    rolldownOptions: {
      input: ['index.html', 'diagram.html'].map((name) => `${folder}${name}`),
      // A hundred small files take longer to arrive and to start than a few: code that several parts share is in one.
      // The entry stays by itself, because the page knows its version by its first script (state/page/parts.ts).
      output: {
        codeSplitting: {
          groups: [
            // The frame of diagrams needs this too, and must get nothing else of the page.
            { name: 'preload-helper', test: /vite\/preload-helper/, priority: 4 },
            {
              name: 'state',
              test: /src\/(?:web\/state|client)\/(?!attention\/notify)/,
              priority: 3,
            },
            { name: 'shell', test: /src\/web\/app\/app\.tsx/, priority: 2 },
            { name: 'ui', test: shared, minShareCount: 2, priority: 1 },
            { name: 'message', test: /chat\/message\/message-view\.tsx/, minShareCount: 2 },
          ],
        },
      },
    },
    // Everything comes from our own files: nothing inlined, so that a strict content policy holds.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The page brings other people's code with it, and so their terms.
    license: { fileName: 'third-party-licenses.md' },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1600,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4310' } },
});
